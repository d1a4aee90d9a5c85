'use strict';

// Loads the list again and keeps the focus where it is. Without this script the browser reloads the page.
(() => {
  const PERIOD_MILLIS = 5000;
  // Outside of what is loaded again, so that a new number of requests is said once.
  const told = document.body.appendChild(document.createElement('p'));
  told.id = 'told';
  told.setAttribute('role', 'status');

  const show = text => {
    // Scripts of a parsed document do not run, and the page escapes what callers say.
    const next = new DOMParser().parseFromString(text, 'text/html');
    if (next.getElementById('credential')) {
      location.reload();
      return;
    }
    const focused = document.activeElement ? document.activeElement.id : '';
    if (document.title !== next.title) {
      document.title = next.title;
      told.textContent = next.title;
    }
    document.querySelector('main').replaceChildren(...next.querySelector('main').childNodes);
    const again = focused && document.getElementById(focused);
    if (again) {
      again.focus({ preventScroll: true });
    }
  };

  const load = async () => {
    const response = await fetch(location.href, { signal: AbortSignal.timeout(PERIOD_MILLIS) });
    if (!response.ok) {
      throw new Error('status ' + response.status);
    }
    show(await response.text());
  };

  const fail = failure => {
    const trouble = document.getElementById('trouble');
    trouble.hidden = false;
    trouble.textContent = 'The list is old: ' + failure.message;
  };

  // A hidden page asks, too: its title tells how many requests wait.
  const turn = async () => {
    await load().catch(fail);
    setTimeout(turn, PERIOD_MILLIS);
  };
  setTimeout(turn, PERIOD_MILLIS);
})();
