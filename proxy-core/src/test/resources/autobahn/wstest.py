# Runs the fuzzing client of the Autobahn test suite by the specification in the file given.
import json
import sys

from autobahntestsuite import fuzzing, wstest

PATIENCE = 20


def patient(method):
    return lambda protocol, delay: method(protocol, delay * PATIENCE)


# The suite ends a case by these where the server does not: a busy machine is given longer, a right answer costs no time.
protocol = fuzzing.FuzzingProtocol
protocol.killAfter = patient(protocol.killAfter.__func__)
protocol.closeAfter = patient(protocol.closeAfter.__func__)

# Without pages of HTML, which would take as long as the cases.
factory = fuzzing.FuzzingFactory
write_reports = factory.createReports.__func__
factory.createReports = lambda self: write_reports(self, produceHtml=False, produceJson=True)

with open(sys.argv[1]) as specification:
    wstest.start({"mode": "fuzzingclient", "debug": False}, json.load(specification))
