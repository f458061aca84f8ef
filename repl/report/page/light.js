// Pointing: what is pointed at is lit with all that it came from and became, on both sides at once.
// A click, or Enter, keeps the light until Escape, so that other stages can be looked at.

let pinned = null;
let pointed = null;
let frame = 0;

const currentLight = () => pinned || pointed;
const isPinned = () => pinned !== null;

function showLight() {
  frame = 0;
  const light = currentLight();
  page.source.light(light);
  page.stages.light(light);
  document.body.classList.toggle('pinned', isPinned());
  byId('trail').textContent = light ? sentence(light) : '';
}

function sentence(light) {
  const isShown = ({kind, region}) => kind === 'span' || region === page.stages.region;
  const ofKind = (keys, kinds) => [...keys].filter(
    (key) => kinds.includes(report.keys[key].kind) && isShown(report.keys[key]));
  const names = (keys, kinds) => ofKind(keys, kinds).map(nameOf);
  const list = (all) => all.length > 4 ? `${all.slice(0, 4).join(', ')} and ${all.length - 4} more` : all.join(', ');
  const what = [...light.here].map(nameOf);
  const origins = names(light.from, ['node']).concat(names(light.from, ['span']).slice(0, 2));
  const results = names(light.became, ['node', 'kernel']);
  const statements = ofKind(light.became, ['statement']).length;
  if (statements) results.push(`${statements} statement${statements > 1 ? 's' : ''}`);
  return [isPinned() ? 'pinned: ' : '', list(what), origins.length ? `   came from ${list(origins)}` : '',
    results.length ? `   became ${list(results)}` : ''].join('');
}

function schedule() {
  if (!frame) frame = requestAnimationFrame(showLight);
}

function pointAt(keys) {
  const next = keys && keys.length ? keys : null;
  if (pinned || (!next && !pointed)) return;
  pointed = next ? related(next) : null;
  schedule();
}

// Pins what the keys are related to, and brings it to the screen in the pane that was not pointed in.
function pin(keys, origin) {
  pinned = keys && keys.length ? related(keys) : null;
  pointed = null;
  showLight();
  if (!pinned) return;
  if (origin !== 'stages') page.stages.revealLit();
  if (origin === 'source') return;
  const places = [...pinned.here, ...pinned.from].filter((key) => report.keys[key].kind === 'span');
  if (places.length) page.source.reveal(places[0]);
}

// The keys of what an event is about: a piece of source, a line, a box, a bar.
function keysAt(target) {
  for (let at = target; at && at !== document.body; at = at.parentNode) {
    if (at.about) return at.about;
    if (at.place !== undefined) {
      const list = at.closest('.lines').list;
      return list.lines[at.place].about;
    }
  }
  return null;
}

function listenToPointer() {
  for (const [id, origin] of [['source', 'source'], ['panel', 'stages']]) {
    const host = byId(id);
    host.addEventListener('pointerover', (event) => pointAt(keysAt(event.target)));
    host.addEventListener('pointerleave', () => pointAt(null));
    host.addEventListener('click', (event) => {
      const line = event.target.closest('.line');
      if (line) {
        line.closest('.lines').list.activate(line.place, false);
        if (origin === 'stages') rememberPlace();
      }
      const keys = keysAt(event.target);
      if (keys && String(getSelection()) === '') pin(keys, origin);
    });
  }
}
