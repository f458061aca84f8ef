// The right side: a tab for each stage that the chosen region, or the source, has something of.

const ENTRIES = 'entries';

class Stages {
  constructor() {
    this.tabs = byId('tabs');
    this.host = byId('panel');
    this.made = new Map();
    this.region = report.regions.length ? 0 : -1;
    this.stage = '';
  }

  panelsOf(stage) {
    return report.panels.filter((panel) => panel.stageName === stage &&
      (panel.region === this.region || panel.region < 0));
  }

  names() {
    const names = report.stages.map((stage) => stage.name).filter((name) => this.panelsOf(name).length);
    const several = this.region >= 0 && entriesOf(this.region).length > 1;
    if (several) names.splice(names.indexOf('guards') + 1, 0, ENTRIES);
    return names;
  }

  chooseRegion(region) {
    this.region = region;
    byId('regions').value = region;
    const names = this.names();
    this.tabs.replaceChildren(...names.map((name) => this.tab(name)));
    const first = names.includes('graph') ? 'graph' : names[0];
    this.show(names.includes(this.stage) ? this.stage : first || '');
  }

  tab(name) {
    const about = report.stages.find((stage) => stage.name === name);
    return make('button', {type: 'button', role: 'tab', id: `tab-${name}`, 'aria-controls': 'panel', tabindex: -1,
      title: about ? about.description : 'the guards of each entry, side by side',
      onclick: () => { this.show(name); rememberPlace(); }}, name, make('span', {class: 'count'}));
  }

  show(name) {
    this.stage = name;
    for (const tab of this.tabs.children) {
      const chosen = tab.id === `tab-${name}`;
      tab.setAttribute('aria-selected', chosen);
      tab.tabIndex = chosen ? 0 : -1;
      if (chosen) tab.scrollIntoView({block: 'nearest', inline: 'nearest'});
    }
    this.host.setAttribute('aria-labelledby', `tab-${name}`);
    const key = `${this.region} ${name}`;
    if (!this.made.has(key)) this.made.set(key, this.make(name));
    this.current = this.made.get(key);
    this.host.replaceChildren(...this.current.flatMap((each) => each.heading ? [each.heading, each.element] : [each.element]));
    this.host.scrollTop = 0;
    this.light(currentLight());
    this.revealLit();
  }

  make(name) {
    if (name === ENTRIES) return [makeEntries(this.region)];
    const panels = this.panelsOf(name);
    return panels.map((panel) => {
      const made = makePanel(panel);
      if (panels.length > 1) made.heading = make('h3', {}, panel.title);
      return made;
    });
  }

  step(by) {
    const names = this.names();
    const at = names.indexOf(this.stage) + by;
    if (at < 0 || at >= names.length) return;
    this.show(names[at]);
    rememberPlace();
  }

  lists() {
    return (this.current || []).flatMap((each) => each.lists);
  }

  light(light) {
    for (const each of this.current || []) each.light(light);
    this.count(light);
  }

  // How many lines of each stage are lit, on its tab.
  count(light) {
    const counts = {};
    if (light) {
      const lines = new Set();
      for (const keys of [light.here, light.became, light.from]) {
        for (const key of keys) for (const line of report.linesOf[key]) lines.add(line);
      }
      for (const {panel} of lines) {
        if (panel.region === this.region || panel.region < 0) {
          counts[panel.stageName] = (counts[panel.stageName] || 0) + 1;
        }
      }
    }
    for (const tab of this.tabs.children) {
      tab.lastChild.textContent = counts[tab.id.slice(4)] || '';
    }
  }

  revealLit() {
    const light = currentLight();
    if (!light || !isPinned()) return;
    for (const list of this.lists()) {
      const at = list.firstLit(light);
      if (at >= 0) return list.reveal(at);
    }
  }

  // The line with a number, counted through all lists of the tab.
  place(number) {
    for (const list of this.lists()) {
      if (number < list.lines.length) return {list, line: number};
      number -= list.lines.length;
    }
    return null;
  }

  numberOf(list, line) {
    let before = 0;
    for (const each of this.lists()) {
      if (each === list) return before + line;
      before += each.lines.length;
    }
    return -1;
  }
}
