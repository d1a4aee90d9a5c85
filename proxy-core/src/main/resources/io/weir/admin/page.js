'use strict';

// The page is whole without this script, which refreshes and sorts its tables and sends operations.
(() => {
  const PERIOD_MILLIS = 2000;
  const REFRESHED = ['up', 'links', 'wrong', 'kept'];
  const TABLES = ['networks', 'nodes'];
  const byId = id => document.getElementById(id);
  // By table: the column that the reader chose, and whether it falls.
  const orders = new Map();

  const value = cell => {
    const text = cell.textContent.trim();
    const number = parseFloat(text.replace(/^\u2264 |,/g, ''));
    return Number.isNaN(number) ? text : number;
  };

  const compare = (one, other) =>
    typeof one === 'number' && typeof other === 'number' ? one - other
      : typeof one === 'number' ? 1
        : typeof other === 'number' ? -1
          : one.localeCompare(other);

  const sort = table => {
    const order = orders.get(table.id);
    [...table.tHead.rows[0].cells].forEach((head, column) =>
      head.setAttribute('aria-sort', !order || order.column !== column ? 'none' : order.falls ? 'descending' : 'ascending'));
    if (order) {
      const rows = [...table.tBodies[0].rows];
      rows.sort((one, other) =>
        compare(value(one.cells[order.column]), value(other.cells[order.column])) * (order.falls ? -1 : 1));
      table.tBodies[0].append(...rows);
    }
  };

  const makeSortable = table => [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = head.textContent;
    button.addEventListener('click', () => {
      const order = orders.get(table.id);
      orders.set(table.id, { column, falls: Boolean(order) && order.column === column && !order.falls });
      sort(table);
    });
    head.replaceChildren(button);
  });

  const listNodes = () => {
    const select = byId('node');
    const names = [...byId('nodes').tBodies[0].rows].map(row => [row.dataset.network, row.dataset.node]);
    const known = [...select.options].map(option => option.value).sort().join();
    const options = names.map(name => new Option(name.join(' '), JSON.stringify(name)));
    if (options.map(option => option.value).sort().join() !== known) {
      const chosen = select.value;
      select.replaceChildren(...options);
      select.value = chosen || (options[0] ? options[0].value : '');
    }
  };

  const show = text => {
    // Scripts of a parsed document do not run, and the proxy escapes what nodes and configurations say.
    const next = new DOMParser().parseFromString(text, 'text/html');
    REFRESHED.forEach(id => {
      // What has not changed keeps the focus.
      if (byId(id).innerHTML !== next.getElementById(id).innerHTML) {
        byId(id).replaceChildren(...next.getElementById(id).childNodes);
      }
    });
    TABLES.forEach(id => {
      byId(id).tBodies[0].replaceChildren(...next.getElementById(id).tBodies[0].rows);
      sort(byId(id));
    });
    listNodes();
    byId('trouble').hidden = true;
  };

  const refresh = async () => {
    const response = await fetch('/');
    if (!response.ok) {
      throw new Error('status ' + response.status);
    }
    show(await response.text());
  };

  const fail = failure => {
    byId('trouble').hidden = false;
    byId('trouble').textContent = 'The figures are old: ' + failure.message;
  };

  const operate = async change => {
    const [network, node] = JSON.parse(byId('node').value);
    const query = new URLSearchParams([['network', network], ['upstream', node], ...new URLSearchParams(change)]);
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

  document.querySelectorAll('#operations button').forEach(button => button.addEventListener('click', () =>
    operate(button.value === 'weight=' ? 'weight=' + byId('weight').value : button.value).catch(fail)));
  byId('operations').addEventListener('submit', event => event.preventDefault());
  byId('operations').hidden = false;
  listNodes();
  TABLES.forEach(id => makeSortable(byId(id)));

  const isPaused = () => byId('pause').getAttribute('aria-pressed') === 'true';
  byId('pause').hidden = false;
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
  setTimeout(turn, PERIOD_MILLIS);
})();
