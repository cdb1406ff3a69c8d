// The form screen: adds, moves and removes fields and conditions. Nothing is stored before Save.
const form = document.querySelector('[data-pillion-form]');
const list = form?.querySelector('[data-pillion-fields]');
const { __, sprintf } = window.wp.i18n ?? { __: String, sprintf: String };

let nextFieldId = Number(form?.dataset.next ?? 0);
// Not a counter from 0: a rejected form comes back with the conditions under the numbers that they got before.
let nextRuleId = Date.now();
let isUnsaved = form?.hasAttribute('data-unsaved') ?? false;

const listFields = () => [...list.children];
const labelOf = (field: Element) => field.querySelector('[data-pillion-title]').textContent;
const markUnsaved = () => {
  isUnsaved = true;
};

/** @returns A copy of a template with an id in place of the placeholder. */
function copyTemplate(template: HTMLTemplateElement, placeholder: string, id: string) {
  const holder = document.createElement('template');
  holder.innerHTML = template.innerHTML.replaceAll(placeholder, id);
  return holder.content.firstElementChild as HTMLElement;
}

/**
 * Updates what depends on other fields: names of buttons, fields that conditions can use, and whether the settings for
 * pages are shown.
 */
function refreshFields() {
  for (const field of listFields()) {
    for (const button of field.querySelectorAll('[data-pillion-move]'))
      button.lastElementChild.textContent = `${button.dataset.name}: ${labelOf(field)}`;
    for (const select of field.querySelectorAll('[data-pillion-other]')) refreshConditionFields(select, field);
  }
  const isPaged = listFields().some((field) => field.querySelector('[name$="[type]"]').value === 'page');
  form.querySelector('[data-pillion-paged]').hidden = !isPaged;
}

/** Lists the other fields that conditions can compare. A chosen field that was removed stays in the list as `#` and id. */
function refreshConditionFields(select: HTMLSelectElement, ownField: Element) {
  const { value } = select;
  const otherFields = listFields().filter((field) => field !== ownField && field.hasAttribute('data-asks'));
  const options = otherFields.map((field) => new Option(labelOf(field), field.dataset.pillionField));
  const isRemoved = value !== '' && !options.some((option) => option.value === value);
  select.replaceChildren(select.options[0], ...options, ...(isRemoved ? [new Option(`#${value}`, value)] : []));
  select.value = value;
}

function addField() {
  const type = document.querySelector('#pillion-new-type').value;
  const template = document.querySelector(`[data-pillion-new="${type}"]`);
  const field = copyTemplate(template, '__field__', String(nextFieldId));
  nextFieldId += 1;
  list.append(field);
  refreshFields();
  markUnsaved();
  field.querySelector('[data-pillion-label]').focus();
}

const ACTIONS: Record<string, (field: Element) => void> = {
  up: (field) => field.previousElementSibling?.before(field),
  down: (field) => field.nextElementSibling?.after(field),
  remove: (field) => field.remove(),
};

function moveOrRemoveField(button: HTMLElement) {
  const field = button.closest('[data-pillion-field]');
  const { pillionMove: action } = button.dataset;
  const neighbour = field.nextElementSibling ?? field.previousElementSibling;
  ACTIONS[String(action)]?.(field);
  markUnsaved();
  refreshFields();
  // The focus stays on the button. After a removal it goes to the next field.
  const focusTarget = action === 'remove' ? neighbour?.querySelector('summary') : button;
  (focusTarget ?? document.getElementById('pillion-new-type')).focus();
  const position = listFields().indexOf(field) + 1;
  window.wp.a11y.speak(
    action === 'remove'
      ? // translators: %s: label of a field
        sprintf(__('%s removed. Save the form to delete it.', 'pillion'), labelOf(field))
      : // translators: 1: label of a field, 2: its place, 3: how many there are
        sprintf(__('%1$s is now field %2$d of %3$d.', 'pillion'), labelOf(field), position, listFields().length),
  );
}

function addRule(button: HTMLElement) {
  const field = button.closest('[data-pillion-field]');
  const rule = copyTemplate(field.querySelector('[data-pillion-new-rule]'), '__rule__', String(nextRuleId));
  nextRuleId += 1;
  field.querySelector('[data-pillion-rules]').append(rule);
  field.querySelector('[data-pillion-when]').hidden = false;
  refreshFields();
  markUnsaved();
  rule.querySelector('select').focus();
}

function removeRule(button: HTMLElement) {
  const field = button.closest('[data-pillion-field]');
  button.closest('li').remove();
  field.querySelector('[data-pillion-when]').hidden = !field.querySelector('[data-pillion-rules] li');
  markUnsaved();
  field.querySelector('[data-pillion-add-rule]').focus();
}

/** Opens the field that a link in the summary of errors leads to. */
function revealControl(link: HTMLAnchorElement) {
  const control = document.getElementById(link.hash.slice(1));
  control?.closest('details')?.setAttribute('open', '');
  control?.focus();
}

const CLICK_HANDLERS = {
  '[data-pillion-add]': addField,
  '[data-pillion-move]': moveOrRemoveField,
  '[data-pillion-add-rule]': addRule,
  '[data-pillion-remove-rule]': removeRule,
  '[data-pillion-summary] a': revealControl,
};

if (form) {
  document.addEventListener('click', (event) => {
    for (const [selector, handleClick] of Object.entries(CLICK_HANDLERS)) {
      const target = (event.target as Element).closest(selector);
      if (!target) continue;
      event.preventDefault();
      handleClick(target);
    }
  });
  form.addEventListener('input', ({ target }: { target: HTMLInputElement }) => {
    markUnsaved();
    const field = target.closest('[data-pillion-field]');
    if (target.matches('[data-pillion-label]')) {
      field.querySelector('[data-pillion-title]').textContent = target.value;
      refreshFields();
    }
    if (target.matches('[data-pillion-required]'))
      field.querySelector('[data-pillion-needed]').hidden = !target.checked;
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
