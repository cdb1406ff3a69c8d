// The button beside an address that takes it from the media library.
document.addEventListener('click', (event) => {
  const button = event.target.closest('[data-pillion-pick]');
  if (!button) return;
  const field = button.closest('td').querySelector('input');
  const frame = wp.media({ library: { type: button.dataset.pillionPick }, multiple: false });
  frame.on('select', () => {
    field.value = frame.state().get('selection').first().toJSON().url;
    field.focus();
  });
  // What is there comes first; uploading is the tab beside it.
  frame.on('open', () => frame.content.mode('browse'));
  frame.open();
});
