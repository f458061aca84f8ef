// From what is pointed at to all that it came from and became.
//
// Nodes, kernels and statements lead to one another by `from` and `became`. A stretch of source that
// became nothing by itself (the name `x` in `x * y`) stands for the smallest one around it that did;
// one around which nothing did (a whole statement) stands for what lies inside it.

function closure(starts, next) {
  const seen = new Set(starts);
  const left = [...starts];
  while (left.length) {
    for (const key of next(report.keys[left.pop()])) {
      if (!seen.has(key)) {
        seen.add(key);
        left.push(key);
      }
    }
  }
  return seen;
}

const becameOf = (keys) => closure(keys, (key) => key.became);
const fromOf = (keys) => closure(keys, (key) => key.inside ? [...key.from, ...key.inside] : key.from);

// The stretches whose code this stretch of source is a part of, or has inside.
function standsFor(id) {
  for (let at = id; at >= 0; at = report.keys[at].within) {
    if (report.keys[at].became.length) return [at];
  }
  const inside = [...closure([id], (key) => key.inside || [])];
  return inside.filter((key) => report.keys[key].became.length);
}

// {here, from, became}: sets of keys.
function related(keys) {
  const starts = new Set(keys);
  for (const key of keys) {
    if (report.keys[key].kind === 'span') standsFor(key).forEach((other) => starts.add(other));
  }
  const here = new Set(keys);
  const became = becameOf(starts);
  const from = fromOf(keys);
  for (const key of here) {
    became.delete(key);
    from.delete(key);
  }
  return {here, from, became};
}

// How a line is lit: `here`, `from`, `became` or nothing.
function lightOf(about, light) {
  if (!light) return '';
  let found = '';
  for (const key of about) {
    if (light.here.has(key)) return 'here';
    if (light.became.has(key)) found = 'became';
    else if (!found && light.from.has(key)) found = 'from';
  }
  return found;
}

// A key in words: `%mul`, `4:19 x * y`.
function nameOf(id) {
  const key = report.keys[id];
  if (key.kind === 'statement') return `statement ${key.name}`;
  if (key.kind !== 'span') return `${key.kind} ${key.name}`;
  const source = report.sources.find((each) => each.id === key.source);
  const line = source ? source.lines[key.line - 1] || '' : '';
  const end = key.endLine === key.line ? key.endColumn : line.length;
  return `${key.line}:${key.column} ${line.slice(key.column, end)}`;
}
