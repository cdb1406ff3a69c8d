/** Reminds editors of the template that sections need. */
const { useEffect } = wp.element;
const { useSelect, useDispatch } = wp.data;
const { __ } = wp.i18n;

/** Warns about a page with sections and no template, because the site shows it as plain text (R3). */
const TemplateReminder = () => {
  const wanted = useSelect((select) => {
    const { getCurrentPostType, getEditedPostAttribute, getEditorBlocks } = select('core/editor');
    const sections = getEditorBlocks().some((block: { name: string }) => block.name.startsWith('pillion/'));
    return sections && getCurrentPostType() === 'page' && !getEditedPostAttribute('template');
  }, []);
  const { createWarningNotice, removeNotice } = useDispatch('core/notices');
  const { editPost } = useDispatch('core/editor');
  useEffect(() => {
    if (!wanted) {
      removeNotice(REMINDER);
      return;
    }
    createWarningNotice(
      __('This page has sections but no template, so the site shows it as plain text. Choose a template.', 'pillion'),
      {
        id: REMINDER,
        actions: [
          { label: __('Use the Landing template', 'pillion'), onClick: () => editPost({ template: 'landing' }) },
        ],
      },
    );
  }, [wanted]);
  return null;
};

const REMINDER = 'pillion-template';

wp.plugins.registerPlugin('pillion', { render: TemplateReminder });
