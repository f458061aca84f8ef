// The address of what is shown, so that a link leads there: #region/stage/line, `#1/graph/3`.

function rememberPlace() {
  const {region, stage} = page.stages;
  const list = page.stages.lists().find((each) => each.active >= 0);
  const line = list ? `/${page.stages.numberOf(list, list.active) + 1}` : '';
  const address = `#${region + 1}/${stage}${line}`;
  if (location.hash !== address) history.replaceState(null, '', address);
}

function goToLine(number) {
  const place = page.stages.place(number);
  if (!place) return;
  for (let at = place.list.element.parentElement; at; at = at.parentElement) {
    if (at.tagName === 'DETAILS') at.open = true;
  }
  place.list.activate(place.line, false);
  place.list.reveal(place.line);
  pin(place.list.lines[place.line].about, 'stages');
  rememberPlace();
}

// Where no address says so: the first region that became kernels (a joint graph is cut apart first).
function firstRegion() {
  const compiled = report.panels.find((panel) => panel.stageName === 'kernels');
  return compiled ? compiled.region : report.regions.length ? 0 : -1;
}

function goToAddress() {
  const [region, stage, line] = location.hash.slice(1).split('/');
  const wanted = Number(region) - 1;
  const known = Number.isInteger(wanted) && wanted >= 0 && wanted < report.regions.length;
  page.stages.chooseRegion(known ? wanted : firstRegion());
  if (page.stages.names().includes(stage)) page.stages.show(stage);
  if (Number(line) > 0) goToLine(Number(line) - 1);
}
