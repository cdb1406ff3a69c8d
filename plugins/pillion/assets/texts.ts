// The button that fills in an address from the media library.
document.addEventListener('click', (event) => {
  const button = (event.target as Element).closest('[data-pillion-pick]');
  if (!button) return;
  const field = button.closest('td').querySelector('input');
  const frame = wp.media({ library: { type: button.dataset.pillionPick }, multiple: false });
  frame.on('select', () => {
    field.value = frame.state().get('selection').first().toJSON().url;
    field.focus();
  });
  // Shows the library first; the dialog's other tab is for uploads.
  frame.on('open', () => frame.content.mode('browse'));
  frame.open();
});

type FormControl = HTMLInputElement | HTMLSelectElement;

/** The setting that a control belongs to. All links are one setting. */
const settingOf = ({ name }: FormControl) => name.replace(/(\[links\]).*/, '$1');

/** A `select` without a default option begins with the first one. */
const defaultIndex = ({ options }: HTMLSelectElement) =>
  Math.max(
    0,
    [...options].findIndex(({ defaultSelected }) => defaultSelected),
  );

const isChanged = (control: FormControl) =>
  'options' in control ? control.selectedIndex !== defaultIndex(control) : control.value !== control.defaultValue;

// Sends only what was changed here, so that texts that another editor has saved in the meantime stay.
document.addEventListener('formdata', ({ target, formData }) => {
  const { elements } = target as HTMLFormElement;
  const controls = ([...elements] as FormControl[]).filter(({ name }) => name.startsWith('pillion_strings'));
  // WordPress shows a rejected value again, as the default value of its field.
  const changedControls = controls.filter((control) => isChanged(control) || control.ariaInvalid === 'true');
  const changedSettings = new Set(changedControls.map(settingOf));
  for (const control of controls) if (!changedSettings.has(settingOf(control))) formData.delete(control.name);
});
