// Puts the page together.

const page = {};

function storedTheme() {
  try {
    return localStorage.getItem('glint-theme');
  } catch {
    return null;  // a page from a file may have no storage
  }
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
}

function toggleTheme() {
  const dark = document.documentElement.dataset.theme === 'dark' ||
    (!document.documentElement.dataset.theme && matchMedia('(prefers-color-scheme: dark)').matches);
  setTheme(dark ? 'light' : 'dark');
  try {
    localStorage.setItem('glint-theme', dark ? 'light' : 'dark');
  } catch {
    // then it lasts until the page is left
  }
}

function showFailure() {
  const {text, about} = report.failure;
  if (!text) return;
  const host = byId('failure');
  host.hidden = false;
  host.append(make('p', {}, 'The script ended with an exception; what follows is how far it came.'),
    make('pre', {}, text));
  for (const key of about) {
    const place = page.source.placeOf(key);
    if (!place || place.line < 0 || place.line >= place.list.lines.length) continue;
    place.list.elementAt(place.line).classList.add('failed');
  }
}

function showRegions() {
  const chooser = byId('regions');
  chooser.append(...report.regions.map((region, i) => make('option', {value: i}, region.title)));
  if (!report.regions.length) chooser.append(make('option', {value: -1}, 'nothing was compiled'));
  chooser.addEventListener('change', () => {
    page.stages.chooseRegion(Number(chooser.value));
    rememberPlace();
  });
}

function start() {
  const theme = storedTheme();
  if (theme === 'light' || theme === 'dark') setTheme(theme);
  byId('title').textContent = report.title;
  byId('theme').addEventListener('click', toggleTheme);
  page.source = new SourcePane(byId('source'));
  page.stages = new Stages();
  showRegions();
  showFailure();
  listenToPointer();
  listenToKeys();
  listenToSearch();
  goToAddress();
  addEventListener('hashchange', goToAddress);
}

start();
