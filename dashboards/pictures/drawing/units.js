// Numbers as Grafana writes them, and its colours.
const COLOURS = {
  green: '#73bf69',
  yellow: '#fade2a',
  orange: '#ff9830',
  red: '#f2495c',
  purple: '#b877d9',
  blue: '#5794f2',
  text: '#3d4148',
};
const PALETTE = [
  '#73bf69',
  '#f2cc0c',
  '#8ab8ff',
  '#ff780a',
  '#f2495c',
  '#5794f2',
  '#b877d9',
  '#705da0',
  '#37872d',
  '#fade2a',
];

function colour(name) {
  return COLOURS[name] || name;
}

function rounded(value, decimals) {
  if (decimals !== undefined && decimals !== null) return value.toFixed(decimals);
  return String(+value.toPrecision(3));
}

function scaled(value, steps, decimals) {
  for (const [size, suffix] of steps)
    if (Math.abs(value) >= size) return rounded(value / (size || 1), decimals) + suffix;
  return rounded(value, decimals);
}

function written(value, unit, decimals) {
  if (value === null || value === undefined || Number.isNaN(value)) return '–';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '-∞';
  switch (unit) {
    case 's':
      if (value === 0) return '0 s';
      return scaled(
        value,
        [
          [3600, ' h'],
          [60, ' min'],
          [1, ' s'],
          [1e-3, ' ms'],
          [1e-6, ' µs'],
          [1e-9, ' ns'],
        ],
        decimals ?? null,
      );
    case 'percentunit':
      return rounded(value * 100, decimals) + ' %';
    case 'bytes':
      return scaled(value, [
        [2 ** 30, ' GiB'],
        [2 ** 20, ' MiB'],
        [2 ** 10, ' KiB'],
        [0, ' B'],
      ]);
    case 'Bps':
      return scaled(value, [
        [1e9, ' GB/s'],
        [1e6, ' MB/s'],
        [1e3, ' kB/s'],
        [0, ' B/s'],
      ]);
    case 'reqps':
      return scaled(value, [
        [1e6, 'M req/s'],
        [1e3, 'K req/s'],
        [0, ' req/s'],
      ]);
    case 'cpm':
      return rounded(value, decimals) + ' /min';
    case 'short':
      return scaled(value, [
        [1e9, ' Bil'],
        [1e6, ' Mil'],
        [1e3, ' K'],
      ]);
    default:
      return rounded(value, decimals);
  }
}

function nameOfThreshold(thresholds, value) {
  let found = 'text';
  for (const step of thresholds?.steps || [])
    if (step.value === null || step.value === undefined || value >= step.value) found = step.color;
  return value === undefined ? 'text' : found;
}

function thresholdColour(thresholds, value) {
  return colour(nameOfThreshold(thresholds, value));
}

function mapped(mappings, value) {
  for (const mapping of mappings || []) if (mapping.options[String(value)]) return mapping.options[String(value)];
  return null;
}

function legendOf(answer, metric) {
  if (answer.legend === '__auto') return JSON.stringify(metric);
  return answer.legend.replace(/\{\{\s*(\w+)\s*}}/g, (whole, label) => metric[label] ?? '').trim();
}
