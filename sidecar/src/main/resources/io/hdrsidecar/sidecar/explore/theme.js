// Light and dark: the system's wish unless the URL has one. Charts are told, since canvas has no style sheet.

const DARK = matchMedia('(prefers-color-scheme: dark)');
let wanted = '';

/** @param {string} theme light, dark, or empty for the system's @returns {boolean} whether it changed */
export function applyTheme(theme) {
  wanted = theme;
  const shown = theme === '' ? (DARK.matches ? 'dark' : 'light') : theme;
  if (document.documentElement.dataset.theme === shown) {
    return false;
  }
  document.documentElement.dataset.theme = shown;
  document.dispatchEvent(new Event('theme'));
  return true;
}

/** @returns {'light'|'dark'} the theme that is not shown */
export function otherTheme() {
  return document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
}

DARK.addEventListener('change', () => applyTheme(wanted));
