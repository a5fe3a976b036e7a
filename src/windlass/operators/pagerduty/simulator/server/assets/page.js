// Shows the account and keeps it up to date; changes it as a person would.

import { picture } from "/_simulator/picture.js";

const EVERY = 1000;
const FIELDS = {
  escalation_policy: [["name", "Name"], ["description", "Description"], ["num_loops", "Repeats", "number"]],
  service: [
    ["name", "Name"],
    ["description", "Description"],
    ["auto_resolve_timeout", "Resolve by itself after (seconds, empty for never)", "number"],
    ["acknowledgement_timeout", "Call again after (seconds, empty for never)", "number"],
  ],
  business_service: [["name", "Name"], ["description", "Description"], ["point_of_contact", "Point of contact"]],
};
const INCIDENT = {
  active: { label: "Open an incident", to: "critical" },
  critical: { label: "Acknowledge", to: "warning" },
  warning: { label: "Resolve", to: null },
};
const part = (id) => document.getElementById(id);
let tag = null;
let account = null;

function make(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children.filter((child) => child !== null));
  return made;
}

async function send(method, path, body) {
  const answer = await fetch(`/_simulator/${path}`, {
    method,
    headers: { "Content-Type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (answer.ok) return null;
  const text = await answer.text();
  try {
    const { error } = JSON.parse(text);
    return [error.message, ...(error.errors ?? [])].join(": ");
  } catch {
    return text;
  }
}

async function act(work) {
  const problem = await work;
  part("live").textContent = problem ?? "";
  await refresh();
}

function button(label, object, action) {
  const made = make("button", { type: "button", textContent: label, onclick: action });
  made.setAttribute("aria-label", `${label}: ${object.name}`);
  made.dataset.focus = `${label} ${object.id}`;
  return made;
}

function facts(pairs) {
  const list = make("dl");
  for (const [term, value] of pairs) {
    if (value === null || value === undefined || value === "") continue;
    list.append(make("dt", { textContent: term }), make("dd", { textContent: value }));
  }
  return list;
}

function card(object, badge, ...content) {
  const head = make("div", { className: "head" }, make("h3", { textContent: object.name }), badge, make("code", { textContent: object.id }));
  const note = object.description ? make("p", { textContent: object.description }) : null;
  const buttons = make("div", { className: "actions" },
    button("Edit", object, () => edit(object)),
    button("Delete", object, () => confirm(`Delete ${object.name}?`) && act(send("DELETE", `objects/${object.id}`))));
  const step = object.type === "service" ? INCIDENT[object.status] : undefined;
  if (step) {
    buttons.append(button(step.label, object, () => act(send("PUT", `objects/${object.id}/trouble`, { state: step.to }))));
  }
  const made = make("li", { className: "card", id: object.id }, head, note, ...content, buttons);
  if (location.pathname.endsWith(`/${object.id}`)) made.classList.add("chosen");
  return made;
}

const names = (references) => references.map((each) => each.summary ?? each.id).join(", ");
const named = (id) => [...account.services, ...account.business_services].find((each) => each.id === id)?.name ?? id;
const counted = (list, one, several) => `${list.length} ${list.length === 1 ? one : several}`;
const seconds = (value) => (value === null ? "never" : `after ${value} s`);

function policyCard(policy) {
  const rules = policy.escalation_rules.map((rule) =>
    make("li", { textContent: `${names(rule.targets)}, for ${rule.escalation_delay_in_minutes} min${rule.escalation_rule_assignment_strategy?.type === "round_robin" ? ", in turn" : ""}` }));
  return card(policy, null, make("ol", {}, ...rules), facts([
    ["Repeats", String(policy.num_loops)],
    ["Teams", names(policy.teams)],
    ["Used by", names(policy.services)],
  ]));
}

function serviceCard(service) {
  const badge = make("span", { className: `status ${service.status}`, textContent: service.status });
  const keys = service.integrations.map((each) =>
    make("li", {}, `${each.name} `, make("code", { textContent: each.integration_key ?? each.integration_email })));
  return card(service, badge, facts([
    ["Escalation policy", service.escalation_policy.summary],
    ["Resolves by itself", seconds(service.auto_resolve_timeout)],
    ["Calls again", seconds(service.acknowledgement_timeout)],
    ["Alerts", service.alert_creation === "create_incidents" ? "incidents only" : "alerts and incidents"],
    ["Integrations", keys.length ? String(keys.length) : "none"],
  ]), keys.length ? make("ul", {}, ...keys) : null);
}

function businessCard(business) {
  const under = account.dependencies.filter((each) => each.dependent === business.id).map((each) => named(each.supporting));
  const over = account.dependencies.filter((each) => each.supporting === business.id).map((each) => named(each.dependent));
  return card(business, null, facts([
    ["Contact", business.point_of_contact],
    ["Team", business.team?.id],
    ["Stands on", under.join(", ")],
    ["Supports", over.join(", ")],
  ]));
}

function fill(id, items, render) {
  const none = make("li", { className: "hint", textContent: "None yet." });
  part(id).replaceChildren(...(items.length ? items.map(render) : [none]));
}

function requestRow(request) {
  const lost = request.status === null ? `cut${request.done ? ", though done" : ""}` : String(request.status);
  const kind = request.status === null || request.status >= 400 ? "critical" : "active";
  return make("tr", {},
    make("td", { textContent: request.at }),
    make("td", {}, make("code", { textContent: `${request.method} ${request.path}` })),
    make("td", { className: kind, textContent: lost }));
}

function show() {
  const focused = document.activeElement?.dataset?.focus;
  const counts = [
    counted(account.business_services, "business service", "business services"),
    counted(account.services, "service", "services"),
    counted(account.policies, "escalation policy", "escalation policies"),
  ];
  const refused = account.rate.exceeded ? `, ${account.rate.exceeded} requests refused for their rate` : "";
  part("summary").textContent = counts.join(", ") + refused;
  part("picture").replaceChildren(picture(account));
  fill("policies", account.policies, policyCard);
  fill("services", account.services, serviceCard);
  fill("business_services", account.business_services, businessCard);
  part("requests").replaceChildren(...account.requests.map(requestRow));
  showWeather();
  if (focused) document.querySelector(`[data-focus="${CSS.escape(focused)}"]`)?.focus();
}

function showWeather() {
  const chooser = part("weather");
  const known = account.weathers.includes(account.weather) ? account.weathers : [...account.weathers, account.weather];
  if (document.activeElement !== chooser) {
    chooser.replaceChildren(...known.map((name) => make("option", { value: name, textContent: name })));
    chooser.value = account.weather;
  }
}

function edit(object) {
  const fields = FIELDS[object.type];
  part("editor-title").textContent = `Edit ${object.name}`;
  part("editor-error").textContent = "";
  part("editor-fields").replaceChildren(...fields.flatMap(([name, label, type]) => [
    make("label", { htmlFor: `field-${name}`, textContent: label }),
    make("input", { id: `field-${name}`, type: type ?? "text", value: object[name] ?? "", min: 0 }),
  ]));
  const dialog = part("editor");
  dialog.querySelector("form").onsubmit = async (event) => {
    event.preventDefault();
    const problem = await send("PATCH", `objects/${object.id}`, changesOf(object, fields));
    part("editor-error").textContent = problem ?? "";
    if (problem) return;
    dialog.close();
    await refresh();
  };
  dialog.showModal();
}

// What differs from what was shown; a number that is left empty is none.
function changesOf(object, fields) {
  const changes = {};
  for (const [name, , type] of fields) {
    const text = part(`field-${name}`).value;
    if (text === String(object[name] ?? "")) continue;
    changes[name] = type !== "number" ? text : text === "" ? null : Number(text);
  }
  return changes;
}

async function refresh() {
  let answer;
  try {
    answer = await fetch("/_simulator/account", { headers: tag ? { "If-None-Match": tag } : {}, cache: "no-store" });
  } catch {
    part("live").textContent = "The simulator does not answer.";
    return;
  }
  if (part("live").textContent === "The simulator does not answer.") part("live").textContent = "";
  if (answer.status !== 200) return;
  tag = answer.headers.get("ETag");
  account = await answer.json();
  show();
}

async function keepFresh() {
  if (!document.hidden) await refresh();
  setTimeout(keepFresh, EVERY);
}

part("editor-cancel").onclick = () => part("editor").close();
part("weather").onchange = (event) => {
  event.target.blur();
  act(send("PUT", "weather", { name: event.target.value }));
};
keepFresh();
