// The form screen: adds, moves and removes fields and conditions. Nothing is stored before Save.
const form = document.querySelector('[data-pillion-form]');
const list = form?.querySelector('[data-pillion-fields]');
const { __, sprintf } = window.wp.i18n ?? { __: String, sprintf: String };

let next = Number(form?.dataset.next ?? 0);
let nextRule = 1000;
let isUnsaved = form?.hasAttribute('data-unsaved') ?? false;

const fields = () => [...list.children];
const labelOf = (field: Element) => field.querySelector('[data-pillion-title]').textContent;
const changed = () => {
  isUnsaved = true;
};

/** A copy of a template with a number in place of the placeholder. */
function copy(template: HTMLTemplateElement, placeholder: string, number: string) {
  const holder = document.createElement('template');
  holder.innerHTML = template.innerHTML.replaceAll(placeholder, number);
  return holder.content.firstElementChild as HTMLElement;
}

/** Updates the names of the buttons and the fields that conditions can use. */
function refresh() {
  for (const field of fields()) {
    for (const button of field.querySelectorAll('[data-pillion-move]'))
      button.lastElementChild.textContent = `${button.dataset.name}: ${labelOf(field)}`;
    for (const select of field.querySelectorAll('[data-pillion-other]')) refreshOthers(select, field);
  }
  const isPaged = fields().some((field) => field.querySelector('[name$="[type]"]').value === 'page');
  form.querySelector('[data-pillion-paged]').hidden = !isPaged;
}

function refreshOthers(select: HTMLSelectElement, own: Element) {
  const { value } = select;
  const asking = fields().filter((field) => field !== own && field.hasAttribute('data-asks'));
  const options = asking.map((field) => new Option(labelOf(field), field.dataset.pillionField));
  const isGone = value !== '' && !options.some((option) => option.value === value);
  select.replaceChildren(select.options[0], ...options, ...(isGone ? [new Option(`#${value}`, value)] : []));
  select.value = value;
}

function add() {
  const type = document.querySelector('#pillion-new-type').value;
  const field = copy(document.querySelector(`[data-pillion-new="${type}"]`), '__field__', String(next));
  next += 1;
  list.append(field);
  refresh();
  changed();
  field.querySelector('[data-pillion-label]').focus();
}

const MOVES: Record<string, (field: Element) => void> = {
  up: (field) => field.previousElementSibling?.before(field),
  down: (field) => field.nextElementSibling?.after(field),
  remove: (field) => field.remove(),
};

function move(button: HTMLElement) {
  const field = button.closest('[data-pillion-field]');
  const { pillionMove: way } = button.dataset;
  const neighbour = field.nextElementSibling ?? field.previousElementSibling;
  MOVES[String(way)]?.(field);
  changed();
  refresh();
  // The focus stays on the button. After a removal it goes to the next field.
  const place = way === 'remove' ? neighbour?.querySelector('summary') : button;
  (place ?? document.getElementById('pillion-new-type')).focus();
  const where = fields().indexOf(field) + 1;
  window.wp.a11y.speak(
    way === 'remove'
      ? // translators: %s: label of a field
        sprintf(__('%s removed. Save the form to delete it.', 'pillion'), labelOf(field))
      : // translators: 1: label of a field, 2: its place, 3: how many there are
        sprintf(__('%1$s is now field %2$d of %3$d.', 'pillion'), labelOf(field), where, fields().length),
  );
}

function addRule(button: HTMLElement) {
  const field = button.closest('[data-pillion-field]');
  const rule = copy(field.querySelector('[data-pillion-new-rule]'), '__rule__', String(nextRule));
  nextRule += 1;
  field.querySelector('[data-pillion-rules]').append(rule);
  field.querySelector('[data-pillion-when]').hidden = false;
  refresh();
  changed();
  rule.querySelector('select').focus();
}

function removeRule(button: HTMLElement) {
  const field = button.closest('[data-pillion-field]');
  button.closest('li').remove();
  field.querySelector('[data-pillion-when]').hidden = !field.querySelector('[data-pillion-rules] li');
  changed();
  field.querySelector('[data-pillion-add-rule]').focus();
}

/** Opens the field with the control of a link in the summary. */
function reveal(link: HTMLAnchorElement) {
  const control = document.getElementById(link.hash.slice(1));
  control?.closest('details')?.setAttribute('open', '');
  control?.focus();
}

const CLICKS = {
  '[data-pillion-add]': add,
  '[data-pillion-move]': move,
  '[data-pillion-add-rule]': addRule,
  '[data-pillion-remove-rule]': removeRule,
  '[data-pillion-summary] a': reveal,
};

if (form) {
  document.addEventListener('click', (event) => {
    for (const [selector, act] of Object.entries(CLICKS)) {
      const target = (event.target as Element).closest(selector);
      if (!target) continue;
      event.preventDefault();
      act(target);
    }
  });
  form.addEventListener('input', ({ target }: { target: HTMLInputElement }) => {
    changed();
    const field = target.closest('[data-pillion-field]');
    if (target.matches('[data-pillion-label]')) field.querySelector('[data-pillion-title]').textContent = target.value;
    if (target.matches('[data-pillion-required]'))
      field.querySelector('[data-pillion-needed]').hidden = !target.checked;
    if (target.matches('[data-pillion-label]')) refresh();
    if (target.matches('[data-pillion-thanks]'))
      for (const part of form.querySelectorAll('[data-pillion-for]'))
        part.hidden = part.dataset.pillionFor !== target.value;
  });
  form.addEventListener('submit', () => {
    isUnsaved = false;
  });
  window.addEventListener('beforeunload', (event) => {
    if (isUnsaved) event.preventDefault();
  });
  document.querySelector('[data-pillion-summary]')?.focus();
  // The server renders the button disabled, because it does nothing before this script runs.
  document.querySelector('[data-pillion-add]').disabled = false;
}
