// The button that fills in an address from the media library.
document.addEventListener('click', (event) => {
  const button = event.target.closest('[data-pillion-pick]');
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
