// A list of lines, made as they are scrolled to: a block of lines is a box of the right height until
// it comes near the screen, so that machine code of a hundred thousand lines opens at once.
//
// For the keyboard and for screen readers it is a listbox: it has the focus, one line is active.

const BLOCK = 200;
const LINE_HEIGHT = 20;  // as `--line` in page.css

class LineList {
  // `lines`: [{text, about, mark}]; `draw(line)` gives a line's children.
  constructor(lines, {label, draw, numbered}) {
    this.lines = lines;
    this.draw = draw;
    this.numbered = numbered;
    this.elements = new Array(lines.length);
    this.active = -1;
    this.id = `list${LineList.count++}`;
    this.element = make('div', {
      class: 'lines', role: 'listbox', tabindex: 0, 'aria-label': label, id: this.id,
    });
    this.element.list = this;
    this.observer = new IntersectionObserver((seen) => {
      for (const each of seen) if (each.isIntersecting) this.fillBlock(each.target);
    }, {rootMargin: '600px'});
    this.blocks = [];
    for (let begin = 0; begin < lines.length; begin += BLOCK) {
      const count = Math.min(BLOCK, lines.length - begin);
      const block = make('div', {class: 'block', role: 'presentation'});
      block.style.height = `${count * LINE_HEIGHT}px`;
      block.begin = begin;
      block.count = count;
      this.blocks.push(block);
    }
    this.element.append(...this.blocks);
    this.blocks.forEach((block, i) => i ? this.observer.observe(block) : this.fillBlock(block));
    this.element.addEventListener('focus', () => this.active < 0 && this.activate(0, false));
  }

  fillBlock(block) {
    if (block.filled) return;
    block.filled = true;
    this.observer.unobserve(block);
    block.style.height = '';
    for (let i = block.begin; i < block.begin + block.count; ++i) block.append(this.lineElement(i));
  }

  lineElement(i) {
    const line = this.lines[i];
    const made = make('div', {class: 'line', role: 'option', id: `${this.id}-${i}`});
    if (this.numbered) made.append(make('span', {class: 'number', 'aria-hidden': true}, `${i + 1}`));
    made.append(...this.draw(line));
    if (line.mark) made.dataset.mark = line.mark;
    made.place = i;
    this.elements[i] = made;
    this.lightLine(i);
    return made;
  }

  elementAt(i) {
    this.fillBlock(this.blocks[Math.floor(i / BLOCK)]);
    return this.elements[i];
  }

  // Makes a line the active one; `scrolls` brings it to the screen.
  activate(i, scrolls) {
    if (i < 0 || i >= this.lines.length) return null;
    if (this.active >= 0) this.elements[this.active].classList.remove('active');
    this.active = i;
    const element = this.elementAt(i);
    element.classList.add('active');
    this.element.setAttribute('aria-activedescendant', element.id);
    if (scrolls) element.scrollIntoView({block: 'nearest', inline: 'nearest'});
    return element;
  }

  reveal(i) {
    this.elementAt(i).scrollIntoView({block: 'center', inline: 'nearest'});
  }

  // Lights the lines that are made; the others are lit when they are.
  light(light) {
    this.lit = light;
    this.elements.forEach((_, i) => this.lightLine(i));
  }

  lightLine(i) {
    const found = lightOf(this.lines[i].about, this.lit);
    const element = this.elements[i];
    if (found) element.dataset.light = found;
    else delete element.dataset.light;
    element.setAttribute('aria-selected', found === 'here');
  }

  firstLit(light) {
    const wanted = ['here', 'became', 'from'];
    for (const each of wanted) {
      const at = this.lines.findIndex((line) => lightOf(line.about, light) === each);
      if (at >= 0) return at;
    }
    return -1;
  }
}
LineList.count = 0;
