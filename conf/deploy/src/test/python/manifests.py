"""Checks manifests against the schemas of Kubernetes, which the package brings. Usage: manifests.py FILE VERSION...

Says a line of JSON for each step: the manifests, and what is wrong with them.
"""

import json
import sys

import kubernetes_validate
import yaml


def problems(manifest, version):
    name = f"{manifest.get('kind')} at {version}"
    try:
        kubernetes_validate.validate(manifest, version, strict=True)
        return []
    except kubernetes_validate.ValidationError as error:
        return [f"{name}: {'.'.join(str(part) for part in error.path)}: {error.message}"]
    except (kubernetes_validate.SchemaNotFoundError, kubernetes_validate.VersionNotSupportedError) as error:
        return [f"{name}: {error!r}"]


with open(sys.argv[1], encoding="utf-8") as file:
    manifests = list(yaml.safe_load_all(file))
print(json.dumps({"step": "manifests", "value": manifests}))
found = [problem for version in sys.argv[2:] for manifest in manifests for problem in problems(manifest, version)]
print(json.dumps({"step": "problems", "value": found}))
