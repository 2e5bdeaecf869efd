// Looks after the other scripts, without one of which the page would stay empty without a word, and so needs none of
// them. The network changes while a page loads where a container or a VPN starts, and a sidecar may restart.

const AGAIN_MILLIS = 2000;
const PATIENCE_MILLIS = 5000;

async function loadAgain() {
  window.stop(); // what still loads may hold all connections that a browser keeps to a host
  try {
    await fetch('-/ready', { cache: 'no-store', signal: AbortSignal.timeout(PATIENCE_MILLIS) });
    location.reload();
  } catch {
    window.setTimeout(loadAgain, AGAIN_MILLIS);
  }
}

window.addEventListener(
  'error',
  (event) => {
    if (event.target instanceof HTMLScriptElement) {
      const banner = /** @type {HTMLElement} */ (document.getElementById('banner'));
      banner.textContent = 'A part of this page did not arrive. Loading it again …';
      window.setTimeout(loadAgain, AGAIN_MILLIS);
    }
  },
  true, // an error of an element does not bubble
);
