'use strict';

(() => {
  const PERIOD_MILLIS = 2000;
  const SAMPLES = 90;
  const SVG = 'http://www.w3.org/2000/svg';
  const byId = id => document.getElementById(id);
  const byPointer = new Map();
  const present = new Set();
  const histories = new Map();
  let shape = '';

  // Names and details come from configurations and nodes: they are only ever set as text.
  const make = (name, parent, text = '', className = '') => {
    const element = document.createElement(name);
    element.textContent = text;
    element.className = className;
    parent.append(element);
    return element;
  };

  const pointer = (...parts) =>
    parts.map(part => '/' + String(part).replaceAll('~', '~0').replaceAll('/', '~1')).join('');

  const shown = value =>
    Number.isInteger(value) ? String(value).replace(/\B(?=(\d{3})+$)/g, '\u202f') : String(value);

  // Shows one value of the status. Its place is made when it first has a value, and goes when it has none.
  const show = (list, label, value, path, unit = '') => {
    if (value === undefined) {
      return;
    }
    present.add(path);
    let place = byPointer.get(path);
    if (!place) {
      const pair = make('div', list);
      make('dt', pair, label);
      place = make('dd', pair);
      place.dataset.path = path;
      if (unit) {
        place.dataset.unit = unit;
      }
      byPointer.set(path, place);
    }
    place.textContent = shown(value);
  };

  // Leaves out what never happened.
  const showCounts = (list, label, counts, path, suffix = '') =>
    Object.entries(counts ?? {})
      .filter(([, count]) => count !== 0)
      .forEach(([name, count]) => show(list, label + name.replaceAll('_', ' ') + suffix, count, path + pointer(name)));

  const showLatency = (list, latency, path) => {
    show(list, 'median at most', latency?.p50Millis, path + '/latency/p50Millis', 'ms');
    show(list, '99 % at most', latency?.p99Millis, path + '/latency/p99Millis', 'ms');
  };

  const plot = (holder, title) => {
    const figure = make('figure', holder);
    const caption = make('figcaption', figure);
    make('span', caption, title);
    const most = make('span', caption);
    const now = make('output', caption, '–');
    const svg = document.createElementNS(SVG, 'svg');
    svg.setAttribute('viewBox', '0 0 ' + (SAMPLES - 1) + ' 100');
    svg.setAttribute('preserveAspectRatio', 'none');
    const line = document.createElementNS(SVG, 'polyline');
    svg.append(line);
    figure.append(svg);
    return (values, text) => {
      const max = Math.max(...values, 1e-9);
      const left = SAMPLES - values.length;
      line.setAttribute('points', values.map((y, i) => (left + i) + ',' + (98 - 96 * y / max).toFixed(1)).join(' '));
      now.textContent = values.length ? text(values[values.length - 1]) : '–';
      most.textContent = values.length ? 'most ' + text(Math.max(...values)) : '';
    };
  };

  const sum = values => Object.values(values ?? {}).reduce((total, value) => total + value, 0);

  const sample = network => ({
    at: performance.now(),
    calls: sum(network.calls),
    failed: sum(network.calls) - (network.calls.result ?? 0),
    hits: sum(network.cache.hits) + sum(network.cache.derived),
    lookups: sum(network.cache.hits) + sum(network.cache.derived) + sum(network.cache.misses),
    timed: network.latency.count,
    micros: network.latency.sumMicros,
  });

  const draw = (name, network, plots) => {
    const history = histories.get(name) ?? [];
    history.push(sample(network));
    history.splice(0, history.length - SAMPLES - 1);
    histories.set(name, history);
    const steps = history.slice(1).map((now, i) => {
      const step = { seconds: (now.at - history[i].at) / 1000 };
      Object.keys(now).forEach(key => { step[key] = now[key] - history[i][key]; });
      return step;
    });
    const share = (part, whole) => whole > 0 ? part / whole : 0;
    plots.calls(steps.map(step => step.calls / step.seconds), value => value.toFixed(1) + ' /s');
    plots.failed(steps.map(step => share(step.failed, step.calls)), value => (100 * value).toFixed(1) + ' %');
    plots.hits(steps.map(step => share(step.hits, step.lookups)), value => (100 * value).toFixed(1) + ' %');
    plots.latency(steps.map(step => share(step.micros, step.timed) / 1000), value => value.toFixed(2) + ' ms');
  };

  const operate = async (network, node, change) => {
    const query = new URLSearchParams({ network, upstream: node, ...change });
    const tell = result => {
      byId('done').textContent = network + ' ' + node + ': ' + result;
    };
    try {
      const response = await fetch('/upstream?' + query, {
        method: 'POST',
        headers: { Authorization: 'Bearer ' + byId('token').value },
      });
      const hints = { 401: 'the token is missing or wrong', 404: 'operations are off: set admin.token-sha256' };
      tell(response.ok ? 'done' : 'not done, ' + (hints[response.status] ?? await response.text()));
    } catch (failure) {
      // Nobody knows whether the proxy did it.
      tell('no answer, ' + failure.message);
      return;
    }
    await refresh();
  };

  const button = (parent, text, className, action) => {
    const made = make('button', parent, text, className);
    made.type = 'button';
    made.addEventListener('click', () => action().catch(fail));
    return made;
  };

  const buildNode = (holder, network, node) => {
    const box = make('div', holder, '', 'node');
    make('b', box, node);
    const facts = make('dl', box);
    const actions = make('div', box, '', 'actions');
    const drain = button(actions, 'Drain', 'drain', () => operate(network, node, { drain: true }));
    const enable = button(actions, 'Enable', 'enable', () => operate(network, node, { drain: false }));
    const weight = make('input', actions);
    weight.type = 'number';
    weight.min = 1;
    weight.max = 1000000;
    weight.placeholder = 'weight';
    weight.setAttribute('aria-label', 'weight of ' + node);
    button(actions, 'Set weight', 'weigh', () => operate(network, node, { weight: weight.value }));
    button(actions, 'Configured weight', 'configured', () => operate(network, node, { weight: 'configured' }));
    return { box, facts, drain, enable };
  };

  const build = status => {
    byPointer.clear();
    const views = new Map();
    const holder = byId('networks');
    holder.replaceChildren();
    byId('process').replaceChildren();
    byId('cache').replaceChildren();
    Object.entries(status.networks).forEach(([name, network]) => {
      const section = make('section', holder, '', 'network');
      make('h2', section, name);
      const facts = make('dl', section);
      const holderOfPlots = make('div', section, '', 'plots');
      const plots = {
        calls: plot(holderOfPlots, 'calls'),
        failed: plot(holderOfPlots, 'failed calls'),
        hits: plot(holderOfPlots, 'cache hits'),
        latency: plot(holderOfPlots, 'mean latency'),
      };
      make('h3', section, 'Calls');
      const calls = make('dl', section);
      make('h3', section, 'Cache');
      const cache = make('dl', section);
      make('h3', section, 'Nodes');
      const nodes = network.upstreams.map(node => buildNode(section, name, node.id));
      views.set(name, { facts, plots, calls, cache, nodes });
    });
    return views;
  };

  let views = new Map();

  const showNode = (view, node, path) => {
    const healthy = node.health === 'healthy' && !node.drained;
    view.box.classList.toggle('out', !healthy);
    view.drain.hidden = Boolean(node.drained);
    view.enable.hidden = !node.drained;
    show(view.facts, 'state', node.health, path + '/health');
    show(view.facts, 'drained', node.drained, path + '/drained');
    show(view.facts, 'reason', node.detail, path + '/detail');
    show(view.facts, 'out until', node.outUntil, path + '/outUntil');
    show(view.facts, 'head', node.head, path + '/head');
    show(view.facts, 'tier', node.tier, path + '/tier');
    show(view.facts, 'weight', node.weight, path + '/weight');
    show(view.facts, 'configured weight', node.configuredWeight, path + '/configuredWeight');
    show(view.facts, 'in flight', node.inFlight, path + '/inFlight');
    showCounts(view.facts, 'attempts: ', node.calls, path + '/calls');
    showLatency(view.facts, node.latency, path);
    Object.entries(node.budget ?? {}).forEach(([name, value]) =>
      show(view.facts, 'budget: ' + name.replace(/[A-Z]/g, letter => ' ' + letter.toLowerCase()), value, path + pointer('budget', name)));
  };

  const showNetwork = (view, name, network) => {
    const path = pointer('networks', name);
    show(view.facts, 'usable', network.usable, path + '/usable');
    byPointer.get(path + '/usable').className = network.usable ? 'good' : 'bad';
    show(view.facts, 'kind', network.kind, path + '/kind');
    show(view.facts, 'chain', network.chainId, path + '/chainId');
    show(view.facts, 'head', network.head?.number, path + '/head/number');
    show(view.facts, 'confirmed before', network.head?.ageMillis, path + '/head/ageMillis', 'ms');
    showCounts(view.calls, '', network.calls, path + '/calls');
    showLatency(view.calls, network.latency, path);
    ['hits', 'derived', 'misses'].forEach(source =>
      showCounts(view.cache, '', network.cache[source], path + pointer('cache', source), ' ' + source));
    network.upstreams.forEach((node, i) => showNode(view.nodes[i], node, path + '/upstreams/' + i));
    draw(name, network, view.plots);
  };

  const render = status => {
    const now = JSON.stringify(Object.entries(status.networks).map(([name, network]) =>
      [name, network.upstreams.map(node => node.id)]));
    if (now !== shape) {
      shape = now;
      views = build(status);
    }
    present.clear();
    show(byId('process'), 'version', status.version, '/version');
    show(byId('process'), 'up', status.uptimeSeconds, '/uptimeSeconds', 's');
    status.plugins.forEach((plugin, i) => show(byId('process'), 'plugin ' + plugin.id, plugin.version, '/plugins/' + i + '/version'));
    ['entries', 'bytes', 'evictions'].forEach(key => show(byId('cache'), key, status.cache[key], '/cache/' + key));
    status.cache.tiers.forEach((tier, i) =>
      Object.keys(tier).filter(key => key !== 'name').forEach(key =>
        show(byId('cache'), tier.name + ' ' + key, tier[key], pointer('cache', 'tiers', i, key))));
    Object.entries(status.networks).forEach(([name, network]) => showNetwork(views.get(name), name, network));
    [...byPointer].filter(([path]) => !present.has(path)).forEach(([path, place]) => {
      place.parentElement.remove();
      byPointer.delete(path);
    });
  };

  const fail = failure => {
    byId('trouble').hidden = false;
    byId('trouble').textContent = 'The figures are old: ' + failure.message;
  };

  const refresh = async () => {
    const response = await fetch('/status');
    if (!response.ok) {
      throw new Error('status ' + response.status);
    }
    render(await response.json());
    byId('trouble').hidden = true;
  };

  byId('operations').addEventListener('submit', event => event.preventDefault());

  const isPaused = () => byId('pause').getAttribute('aria-pressed') === 'true';

  byId('pause').addEventListener('click', () => {
    byId('pause').setAttribute('aria-pressed', String(!isPaused()));
    byId('pause').textContent = isPaused() ? 'Go on' : 'Pause';
  });

  // A hidden page asks nothing.
  const turn = async () => {
    if (!isPaused() && !document.hidden) {
      await refresh().catch(fail);
    }
    setTimeout(turn, PERIOD_MILLIS);
  };
  turn();
})();
