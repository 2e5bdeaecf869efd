// Puts every panel where the dashboard's grid has it.
const DRAWERS = { stat, timeseries, heatmap, barchart, table, 'state-timeline': statetimeline };

document.body.style.width = `${LAYOUT.width}px`;
const header = document.createElement('header');
header.textContent = DASHBOARD.title;
for (const { name, value } of DASHBOARD.chosen) {
  const variable = DASHBOARD.variables.find((v) => v.name === name);
  if (variable.type === 'adhoc' || name === 'datasource') continue;
  const chip = document.createElement('span');
  chip.className = 'chip';
  chip.innerHTML = '<b></b> ';
  chip.firstChild.textContent = variable.label;
  chip.append(value === '$__all' ? 'All' : value || 'None');
  header.append(chip);
}
document.body.append(header);

const unit = (LAYOUT.width - 12) / 24;
for (const panel of DASHBOARD.panels) {
  const { x, y, w, h } = panel.gridPos;
  const element = document.createElement('div');
  Object.assign(element.style, {
    left: `${6 + x * unit}px`,
    top: `${LAYOUT.top + y * LAYOUT.rowHeight}px`,
    width: `${w * unit - 6}px`,
    height: `${h * LAYOUT.rowHeight - 6}px`,
  });
  document.body.append(element);
  if (panel.type === 'row') {
    element.className = 'row';
    element.textContent = `⌄ ${panel.title}`;
    continue;
  }
  element.className = 'panel';
  const title = child(element, null);
  title.className = 'title';
  title.textContent = panel.title;
  DRAWERS[panel.type](element, panel, h * LAYOUT.rowHeight - 6);
}
