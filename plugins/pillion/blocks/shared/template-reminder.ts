/** Reminds editors of the template that sections need. */
const { useEffect } = wp.element;
const { useSelect, useDispatch } = wp.data;
const { __ } = wp.i18n;

const NOTICE_ID = 'pillion-template';

/** Warns about a page with sections and without a template, because the site shows it as plain text (R3). */
const TemplateReminder = () => {
  const isNeeded = useSelect((select) => {
    const { getCurrentPostType, getEditedPostAttribute, getEditorBlocks } = select('core/editor');
    const hasSections = getEditorBlocks().some((block: { name: string }) => block.name.startsWith('pillion/'));
    return hasSections && getCurrentPostType() === 'page' && !getEditedPostAttribute('template');
  }, []);
  const { createWarningNotice, removeNotice } = useDispatch('core/notices');
  const { editPost } = useDispatch('core/editor');
  useEffect(() => {
    if (!isNeeded) {
      removeNotice(NOTICE_ID);
      return;
    }
    createWarningNotice(
      __('This page has sections but no template, so the site shows it as plain text. Choose a template.', 'pillion'),
      {
        id: NOTICE_ID,
        actions: [
          { label: __('Use the Landing template', 'pillion'), onClick: () => editPost({ template: 'landing' }) },
        ],
      },
    );
  }, [isNeeded]);
  return null;
};

wp.plugins.registerPlugin('pillion', { render: TemplateReminder });
