'use strict';
// Draws what ReportPage wrote into the element "data"; times there are seconds since the trace's start.
(function () {
  const data = JSON.parse(document.getElementById('data').textContent);
  const DAY = 86400;
  const colours = ['#2f6db5', '#d9822b', '#3a9a5b', '#b5446e', '#7a5cc0', '#6b7785', '#a08a1c', '#2aa1a8'];
  const waitClasses = [
    { most: 0, name: 'started at once', colour: '#7fb3a0' },
    { most: 600, name: 'waited up to 10 min', colour: '#a9c46c' },
    { most: 3600, name: 'up to 1 h', colour: '#e8c547' },
    { most: 6 * 3600, name: 'up to 6 h', colour: '#e89b3c' },
    { most: DAY, name: 'up to 1 day', colour: '#d9603b' },
    { most: Infinity, name: 'longer', colour: '#a3283c' }
  ];
  const charts = [];

  function duration(s) {
    if (s < 60) return Math.round(s) + ' s';
    if (s < 3600) return +(s / 60).toFixed(s < 600 ? 1 : 0) + ' min';
    if (s < 2 * DAY) return +(s / 3600).toFixed(1) + ' h';
    return +(s / DAY).toFixed(1) + ' d';
  }

  function moment(s) {
    const day = 'day ' + (s / DAY).toFixed(2);
    if (!data.startEpochS) return day;
    return day + ' (' + new Date((data.startEpochS + s) * 1000).toISOString().slice(0, 16).replace('T', ' ') + ' UTC)';
  }

  function counted(n, word) {
    return n.toLocaleString('en') + ' ' + word + (n === 1 ? '' : 's');
  }

  // wait_mean_s, as files have it, is "wait mean (s)" for a reader.
  function heading(name) {
    return name.replace(/_s$/, ' (s)').replaceAll('_', ' ');
  }

  function chart(element, option) {
    const made = echarts.init(element);
    made.setOption(Object.assign({ animation: false, color: colours }, option));
    charts.push(made);
    return made;
  }

  function text(id, value) {
    document.getElementById(id).textContent = value;
  }

  function metrics() {
    const columns = [
      ['policy', v => v], ['jobs', v => v.toLocaleString('en')],
      ['bounded_slowdown_mean', v => v.toFixed(2)], ['wait_mean_s', v => Math.round(v).toLocaleString('en')],
      ['utilisation', v => v.toFixed(3)], ['makespan_s', v => v.toLocaleString('en')],
      ['elapsed_s', v => v.toFixed(2)]
    ];
    const table = document.getElementById('metrics');
    const head = table.insertRow();
    for (const [name] of columns) {
      head.appendChild(document.createElement('th')).textContent = heading(name);
    }
    for (const policy of data.policies) {
      const row = table.insertRow();
      for (const [name, format] of columns) {
        row.insertCell().textContent = format(policy[name]);
      }
    }
    const list = document.getElementById('findings');
    for (const finding of data.findings) {
      list.appendChild(document.createElement('li')).textContent = 'Trace: ' + finding;
    }
    text('subject', counted(data.policies[0].jobs, 'job') + ' on ' + counted(data.processors, 'processor')
      + ', replayed through the scheduler of Millrace');
  }

  function curves(id, field, axis) {
    chart(document.getElementById(id), {
      tooltip: { trigger: 'axis', valueFormatter: axis.format },
      legend: { top: 0, type: 'scroll' },
      grid: { left: 64, right: 24, top: 36, bottom: 84 },
      xAxis: { type: 'value', name: 'days since the start of the trace', nameLocation: 'middle', nameGap: 26,
        min: 'dataMin', max: 'dataMax', axisLabel: { showMaxLabel: false, formatter: v => +v.toFixed(2) },
        axisPointer: { label: { formatter: p => moment(p.value * DAY) } } },
      yAxis: { type: 'value', min: 0, max: axis.max, minInterval: axis.step, axisLabel: { formatter: axis.format } },
      dataZoom: [{ type: 'slider', bottom: 12, height: 20, labelFormatter: v => v.toFixed(1) }, { type: 'inside' }],
      series: data.policies.map(policy => ({
        name: policy.policy, type: 'line', step: 'middle', symbol: 'none', lineStyle: { width: 1.2 },
        data: policy[field].map((value, i) => [(data.fromS + (i + 0.5) * data.binS) / DAY, value])
      }))
    });
  }

  function waits() {
    // A logarithmic axis has no 0: who did not wait stands at one second.
    const longest = Math.max(60, ...data.policies.map(it => it.waitQuantiles[it.waitQuantiles.length - 1]));
    chart(document.getElementById('waits'), {
      tooltip: { trigger: 'axis', formatter: points => points.map(
        p => p.marker + echarts.format.encodeHTML(p.seriesName) + ': ' + p.value[1].toFixed(1) + ' % wait at most ' + duration(p.value[0])).join('<br>') },
      legend: { top: 0, type: 'scroll' },
      grid: { left: 64, right: 24, top: 36, bottom: 48 },
      xAxis: { type: 'log', logBase: 60, min: 1, max: longest, name: 'waiting time', nameLocation: 'middle', nameGap: 26,
        axisLabel: { showMaxLabel: false, formatter: v => v === 1 ? 'none' : duration(v) } },
      yAxis: { type: 'value', min: 0, max: 100, axisLabel: { formatter: v => v + ' %' } },
      series: data.policies.map(policy => ({
        name: policy.policy, type: 'line', symbol: 'none', lineStyle: { width: 1.6 },
        data: policy.waitQuantiles.map((wait, i) => [Math.max(1, wait), 100 * i / (policy.waitQuantiles.length - 1)])
      }))
    });
  }

  function waitClass(wait) {
    return waitClasses.findIndex(it => wait <= it.most);
  }

  function bar(params, api) {
    const from = api.coord([api.value(0) / DAY, api.value(3)]);
    const to = api.coord([api.value(1) / DAY, api.value(2)]);
    const box = echarts.graphic.clipRectByRect(
      { x: from[0], y: from[1], width: Math.max(0.5, to[0] - from[0]), height: Math.max(0.5, to[1] - from[1]) },
      { x: params.coordSys.x, y: params.coordSys.y, width: params.coordSys.width, height: params.coordSys.height });
    return box && { type: 'rect', shape: box,
      style: { fill: api.visual('color'), stroke: 'rgba(255,255,255,0.55)', lineWidth: box.height > 3 && box.width > 3 ? 0.6 : 0 } };
  }

  function barText(p) {
    const v = p.value;
    return 'job ' + v[4] + ': ' + counted(v[5], 'processor') + '<br>start ' + moment(v[0])
      + '<br>waited ' + duration(v[6]) + ', ran ' + duration(v[1] - v[0]) + ' of an estimated ' + duration(v[7]);
  }

  function gantt(policy) {
    const section = document.createElement('section');
    section.appendChild(document.createElement('h2')).textContent = 'Gantt: ' + policy.policy;
    section.appendChild(document.createElement('p')).textContent =
      (data.ganttWhole ? 'All jobs' : 'The time around the longest queue, ' + duration(data.ganttToS - data.ganttFromS) + ' of it')
      + '. A box is a job on its processors; which ones they are is drawn here, the scheduler only counts them.';
    const plot = section.appendChild(document.createElement('div'));
    plot.className = 'gantt';
    document.getElementById('gantts').appendChild(section);
    const classes = waitClasses.map(() => []);
    for (const it of policy.bars) classes[waitClass(it[6])].push(it);
    chart(plot, {
      tooltip: { formatter: barText },
      legend: { top: 0, type: 'scroll' },
      grid: { left: 64, right: 24, top: 36, bottom: 84 },
      xAxis: { type: 'value', name: 'days since the start of the trace', nameLocation: 'middle', nameGap: 26,
        min: data.ganttFromS / DAY, max: data.ganttToS / DAY, axisLabel: { showMaxLabel: false, hideOverlap: true, formatter: v => +v.toFixed(3) } },
      yAxis: { type: 'value', min: 0, max: data.processors, name: 'processors', nameLocation: 'middle', nameGap: 44 },
      dataZoom: [{ type: 'slider', bottom: 12, height: 20, filterMode: 'none', labelFormatter: v => v.toFixed(2) },
        { type: 'inside', filterMode: 'none' }],
      series: waitClasses.map((it, i) => ({
        name: it.name, type: 'custom', progressive: 0, renderItem: bar, itemStyle: { color: it.colour }, clip: true,
        dimensions: ['start', 'end', 'lowest', 'highest', 'job', 'processors', 'wait', 'estimate'],
        encode: { x: [0, 1], y: [2, 3] }, data: classes[i]
      }))
    });
  }

  metrics();
  curves('utilisation', 'utilisationCurve', { max: 1, step: 0, format: v => (100 * v).toFixed(0) + ' %' });
  curves('queue', 'waitingCurve', { max: null, step: 1, format: v => +(+v).toFixed(v < 10 ? 1 : 0) });
  waits();
  data.policies.forEach(gantt);
  window.addEventListener('resize', () => charts.forEach(it => it.resize()));
})();
