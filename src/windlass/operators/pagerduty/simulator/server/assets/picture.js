// The account as a picture: business services on the left, what they stand on to their right, people last.

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 210, HEIGHT = 44, GAP_X = 90, GAP_Y = 18, EDGE = 16;

function shape(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

// How far a business service is from the left: one column more than the farthest that stands on it.
function columnsOf(businesses, links) {
  const column = new Map(businesses.map((each) => [each.id, 0]));
  for (let round = 0; round < businesses.length; round += 1) {
    let moved = false;
    for (const link of links) {
      if (!column.has(link.from) || !column.has(link.to)) continue;
      if (column.get(link.to) <= column.get(link.from)) {
        column.set(link.to, column.get(link.from) + 1);
        moved = true;
      }
    }
    if (!moved) break;
  }
  return column;
}

function nodesOf(account, links) {
  const column = columnsOf(account.business_services, links);
  const services = Math.max(-1, ...column.values()) + 1;
  return [
    ...account.business_services.map((each) => ({ ...each, kind: "business service", column: column.get(each.id) })),
    ...account.services.map((each) => ({ ...each, kind: `service, ${each.status}`, column: services })),
    ...account.policies.map((each) => ({ ...each, kind: "escalation policy", column: services + 1 })),
  ];
}

function placed(nodes) {
  const rows = new Map();
  for (const node of nodes) {
    const row = rows.get(node.column) ?? 0;
    rows.set(node.column, row + 1);
    node.x = EDGE + node.column * (WIDTH + GAP_X);
    node.y = EDGE + row * (HEIGHT + GAP_Y);
  }
  return nodes;
}

function curve(from, to) {
  const [x1, y1, y2] = [from.x + WIDTH, from.y + HEIGHT / 2, to.y + HEIGHT / 2];
  if (from.column === to.column) {
    const out = x1 + GAP_X / 2;
    return `M${x1},${y1} C${out},${y1} ${out},${y2} ${x1},${y2}`;
  }
  const middle = (x1 + to.x) / 2;
  return `M${x1},${y1} C${middle},${y1} ${middle},${y2} ${to.x},${y2}`;
}

function box(node) {
  const group = shape("g", {});
  group.append(shape("title", {}, `${node.kind} ${node.name}`));
  group.append(shape("rect", { x: node.x, y: node.y, width: WIDTH, height: HEIGHT, rx: 8 }));
  const short = node.name.length > 26 ? `${node.name.slice(0, 25)}…` : node.name;
  group.append(shape("text", { x: node.x + 12, y: node.y + 19 }, short));
  group.append(shape("text", { x: node.x + 12, y: node.y + 35, class: "kind" }, node.kind));
  if (node.status) {
    const mark = { cx: node.x + WIDTH - 14, cy: node.y + 14, r: 5, class: `mark ${node.status}` };
    group.append(shape("circle", mark));
  }
  return group;
}

/** An SVG element that shows which object leads to which; the cards say the same in words. */
export function picture(account) {
  const links = [
    ...account.dependencies.map((each) => ({ from: each.dependent, to: each.supporting })),
    ...account.services.map((each) => ({ from: each.id, to: each.escalation_policy.id })),
  ];
  const nodes = placed(nodesOf(account, links));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const width = Math.max(0, ...nodes.map((node) => node.x + WIDTH)) + EDGE;
  const height = Math.max(0, ...nodes.map((node) => node.y + HEIGHT)) + EDGE;
  const known = links.filter((link) => byId.has(link.from) && byId.has(link.to));
  const label = `${nodes.length} objects and ${known.length} connections between them; the cards below say the same.`;
  const drawn = shape("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label });
  for (const link of known) drawn.append(shape("path", { d: curve(byId.get(link.from), byId.get(link.to)) }));
  for (const node of nodes) drawn.append(box(node));
  return drawn;
}
