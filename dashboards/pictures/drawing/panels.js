// One function a type of panel: draws the answers of Prometheus into an element.
const number = (text) => (text === 'NaN' ? NaN : Number(text.replace('Inf', 'Infinity')));

function stat(element, panel) {
  const { unit, decimals, thresholds, mappings, noValue } = panel.fieldConfig.defaults;
  const shown = panel.answers.flatMap((a) =>
    a.result.map((r) => ({
      name: a.legend === '__auto' ? '' : a.legend,
      value: number(r.value[1]),
      fixed: overridesOf(panel, null, a.refId).color?.fixedColor,
    })),
  );
  element.classList.add('stat');
  const first = shown[0];
  const as = first && mapped(mappings, first.value);
  const shade = as ? as.color : first?.fixed || nameOfThreshold(thresholds, first?.value);
  element.style.background = colour(shade);
  element.style.color = /yellow|orange|green/.test(shade) ? '#111217' : '#fff';
  const text = as ? as.text : first ? written(first.value, unit, decimals) : noValue || 'No data';
  element.innerHTML += `<div class=value></div><div class=name></div>`;
  element.querySelector('.value').textContent = text;
  element.querySelector('.name').textContent = first ? first.name : '';
  if (text.length > 12) element.querySelector('.value').style.fontSize = '17px';
}

function overridesOf(panel, name, refId) {
  const matches = {
    byName: (options) => options === name,
    byRegexp: (options) => name !== null && new RegExp(options).test(name),
    byFrameRefID: (options) => options === refId,
  };
  const found = {};
  for (const override of panel.fieldConfig.overrides || [])
    if (matches[override.matcher.id](override.matcher.options))
      for (const property of override.properties) found[property.id] = property.value;
  return found;
}

function lines(panel) {
  return panel.answers.flatMap((answer) =>
    answer.result.map((series) => ({
      name: legendOf(answer, series.metric),
      points: series.values.map(([t, v]) => [t * 1000, number(v)]),
    })),
  );
}

/** Points with a gap where Prometheus gave none: a line does not cross it. */
function withGaps(points, step) {
  const all = [];
  points.forEach((point, i) => {
    if (i && point[0] - points[i - 1][0] > step * 1.5) all.push([point[0] - 1, null]);
    all.push([point[0], Number.isFinite(point[1]) ? point[1] : null]);
  });
  return all;
}

function stepOf(all) {
  return Math.min(...all.flatMap((line) => line.points.slice(1).map((p, i) => p[0] - line.points[i][0])), Infinity);
}

const AXIS = {
  axisLabel: { color: '#9fa2ab', fontSize: 10 },
  axisLine: { show: false },
  splitLine: { lineStyle: { color: '#24272d' } },
};

function timeseries(element, panel, height) {
  const { unit, thresholds, custom = {}, min, max } = panel.fieldConfig.defaults;
  const all = lines(panel);
  if (!all.length) return nothing(element, panel);
  const step = stepOf(all);
  const log = custom.scaleDistribution?.type === 'log';
  const stacked = custom.stacking?.mode === 'normal';
  const legendHeight = Math.min(all.length, 9) * 15 + 4;
  const chart = echarts.init(child(element, height - 26 - legendHeight));
  let next = 0;
  const series = all.map((line) => {
    const own = overridesOf(panel, line.name);
    const shade = own.color ? colour(own.color.fixedColor) : PALETTE[next++ % PALETTE.length];
    line.shade = shade;
    return {
      type: 'line',
      name: line.name,
      symbol: 'none',
      connectNulls: false,
      stack: stacked ? 'all' : undefined,
      color: shade,
      areaStyle: stacked ? { opacity: 0.25 } : undefined,
      lineStyle: { width: 1.4, color: shade, type: own['custom.lineStyle'] ? [6, 5] : 'solid' },
      data: withGaps(
        line.points.filter((p) => !log || p[1] > 0),
        step,
      ),
    };
  });
  if (custom.thresholdsStyle?.mode === 'dashed') {
    series[0].markLine = {
      symbol: 'none',
      silent: true,
      label: { show: false },
      data: thresholds.steps
        .filter((s) => s.value !== null && s.value !== undefined)
        .map((s) => ({ yAxis: s.value, lineStyle: { color: colour(s.color), type: 'dashed', opacity: 0.7 } })),
    };
    const highest = Math.max(...all.flatMap((l) => l.points.map((p) => p[1])).filter(Number.isFinite));
    if (highest < thresholds.steps.at(-1).value)
      series[0].markLine.data = series[0].markLine.data.filter((d) => d.yAxis <= highest * 1.1);
  }
  const positive = all.flatMap((l) => l.points.map((p) => p[1])).filter((v) => v > 0 && Number.isFinite(v));
  chart.setOption({
    animation: false,
    backgroundColor: 'transparent',
    grid: { left: 62, right: 14, top: 8, bottom: 22 },
    xAxis: {
      type: 'time',
      ...AXIS,
      splitLine: { show: false },
      axisLabel: { ...AXIS.axisLabel, formatter: clock, hideOverlap: true },
    },
    yAxis: {
      type: log ? 'log' : 'value',
      ...AXIS,
      max,
      min: log ? 10 ** Math.floor(Math.log10(Math.min(...positive))) : min,
      axisLabel: { ...AXIS.axisLabel, formatter: (v) => written(v, unit) },
    },
    series,
  });
  legend(element, all, unit);
}

const clock = (t) => new Date(t).toISOString().slice(11, 19);

function legend(element, all, unit) {
  const box = child(element, null);
  box.className = 'legend';
  all.slice(0, 9).forEach((line) => {
    const values = line.points.map((p) => p[1]).filter(Number.isFinite);
    const row = document.createElement('div');
    row.innerHTML = `<i></i><span class=n></span><span class=v></span><span class=v></span>`;
    row.children[0].style.background = line.shade;
    row.children[1].textContent =
      line.name + (line === all[8] && all.length > 9 ? ` … and ${all.length - 9} more` : '');
    row.children[2].textContent = 'max ' + written(Math.max(...values), unit);
    row.children[3].textContent = 'last ' + written(values.at(-1), unit);
    box.append(row);
  });
}

function heatmap(element, panel, height) {
  const samples = panel.answers.flatMap((a) => a.result.flatMap((r) => r.histograms || []));
  if (!samples.length) return nothing(element, panel);
  const times = samples.map(([t]) => t * 1000);
  const step = Math.min(...times.slice(1).map((t, i) => t - times[i]));
  const cells = samples.flatMap(([t, h]) =>
    (h.buckets || []).map(([, low, high, count]) => [t * 1000, +low, +high, +count]),
  );
  const most = Math.max(...cells.map((c) => c[3]));
  const chart = echarts.init(child(element, height - 26));
  const shade = (count) => `hsl(${36 - 22 * weight(count)}, 92%, ${14 + 52 * weight(count)}%)`;
  const weight = (count) => (count / most) ** 0.3;
  chart.setOption({
    animation: false,
    grid: { left: 62, right: 14, top: 8, bottom: 24 },
    xAxis: {
      type: 'time',
      min: times[0] - step,
      max: times.at(-1),
      ...AXIS,
      splitLine: { show: false },
      axisLabel: { ...AXIS.axisLabel, formatter: clock, hideOverlap: true },
    },
    yAxis: {
      type: 'log',
      min: Math.min(...cells.map((c) => c[1]).filter((v) => v > 0)),
      max: Math.max(...cells.map((c) => c[2])),
      ...AXIS,
      axisLabel: { ...AXIS.axisLabel, formatter: (v) => written(v, 's') },
    },
    series: [
      {
        type: 'custom',
        progressive: 0, // all at once, or a picture may be taken of a part
        data: cells,
        encode: { x: 0, y: 1 },
        clip: true,
        renderItem: (params, api) => {
          const [left, bottom] = api.coord([api.value(0) - step, api.value(1)]);
          const [right, top] = api.coord([api.value(0), api.value(2)]);
          return {
            type: 'rect',
            shape: { x: left, y: top, width: Math.max(right - left, 1), height: Math.max(bottom - top, 1) },
            style: { fill: shade(api.value(3)) },
          };
        },
      },
    ],
  });
}

function barchart(element, panel, height) {
  const { unit } = panel.fieldConfig.defaults;
  const bars = panel.answers.map((a) => [a.legend, a.result.length ? number(a.result[0].value[1]) : null]);
  const chart = echarts.init(child(element, height - 26));
  chart.setOption({
    animation: false,
    grid: { left: 62, right: 14, top: 18, bottom: 26 },
    xAxis: {
      type: 'category',
      data: bars.map((b) => b[0]),
      ...AXIS,
      axisLabel: { ...AXIS.axisLabel, interval: 0, fontSize: 9 },
    },
    yAxis: { type: 'value', min: 0, ...AXIS, axisLabel: { ...AXIS.axisLabel, formatter: (v) => written(v, unit) } },
    series: [
      {
        type: 'bar',
        data: bars.map((b) => b[1]),
        itemStyle: { color: colour('blue') },
        label: { show: true, position: 'top', color: '#ccccdc', fontSize: 9, formatter: (p) => written(p.value, unit) },
      },
    ],
  });
}

function table(element, panel) {
  const { renameByName, indexByName } = panel.transformations.find((t) => t.id === 'organize').options;
  const columns = Object.entries(renameByName).sort(([a], [b]) => indexByName[a] - indexByName[b]);
  const several = panel.answers.length > 1;
  const rows = new Map();
  for (const answer of panel.answers)
    for (const series of answer.result) {
      const { __name__, ...labels } = series.metric;
      const shared = Object.fromEntries(
        Object.entries(labels).filter(([k]) => panel.answers.every((a) => a.result.every((r) => k in r.metric))),
      );
      const key = JSON.stringify(several ? shared : labels);
      rows.set(key, {
        ...rows.get(key),
        ...labels,
        [several ? `Value #${answer.refId}` : 'Value']: number(series.value[1]),
      });
    }
  const present = columns.filter(([field]) => [...rows.values()].some((row) => field in row));
  const { displayName, desc } = panel.options.sortBy[0];
  const by = columns.find(([, heading]) => heading === displayName)[0];
  const sorted = [...rows.values()].sort((a, b) => (desc ? -1 : 1) * (a[by] - b[by]));
  const box = child(element, null);
  box.innerHTML = `<table><tr>${present.map(([, heading]) => `<th>${heading}</th>`).join('')}</tr></table>`;
  for (const row of sorted.slice(0, 12)) {
    const line = box.firstChild.insertRow();
    for (const [field, heading] of present) cell(line.insertCell(), row[field], panel, heading);
  }
}

function cell(element, value, panel, heading) {
  if (typeof value !== 'number') return void (element.textContent = value ?? '');
  const own = overridesOf(panel, heading);
  const as = mapped(own.mappings, value);
  element.textContent = as ? as.text : written(value, own.unit || panel.fieldConfig.defaults.unit, own.decimals);
  const shade = as ? colour(as.color) : own.thresholds ? thresholdColour(own.thresholds, value) : null;
  const kind = own['custom.cellOptions']?.type;
  if (kind === 'color-background') {
    element.style.background = shade;
    element.style.color = '#111217';
  }
  if (kind === 'color-text') element.style.color = shade;
  if (kind === 'gauge') {
    const bar = document.createElement('i');
    bar.className = 'gauge';
    bar.style.background = shade;
    bar.style.width = `${Math.min(value, 1) * 90}px`;
    element.prepend(bar);
  }
}

function statetimeline(element, panel, height) {
  const all = lines(panel);
  if (!all.length) return nothing(element, panel);
  const times = all.flatMap((l) => l.points.map((p) => p[0]));
  const from = Math.min(...times),
    to = Math.max(...times),
    step = stepOf(all);
  const box = child(element, null);
  box.className = 'strips';
  for (const line of all) {
    const strip = document.createElement('div');
    strip.className = 'strip';
    strip.style.height = `${Math.min(22, (height - 60) / all.length)}px`;
    strip.innerHTML = `<span class=label></span><span class=bar></span>`;
    strip.firstChild.textContent = line.name;
    for (const [t, v] of line.points) {
      const piece = document.createElement('i');
      piece.style.left = `${(100 * (t - from)) / (to - from + step)}%`;
      piece.style.width = `calc(${(100 * step) / (to - from + step)}% + 0.6px)`;
      piece.style.background = colour(mapped(panel.fieldConfig.defaults.mappings, v).color);
      strip.lastChild.append(piece);
    }
    box.append(strip);
  }
  const axis = document.createElement('div');
  axis.className = 'axis';
  axis.innerHTML = [0, 1, 2, 3, 4].map((i) => `<span>${clock(from + ((to - from) * i) / 4)}</span>`).join('');
  box.append(axis);
}

function nothing(element, panel) {
  const box = child(element, null);
  box.className = 'nothing';
  box.textContent = panel.fieldConfig.defaults.noValue || 'No data';
}

function child(element, height) {
  const box = document.createElement('div');
  if (height) box.style.height = `${height}px`;
  element.append(box);
  return box;
}
