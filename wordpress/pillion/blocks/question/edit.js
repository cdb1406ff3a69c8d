{
  const wp = window.wp;
  const { __ } = wp.i18n;
  const { useBlockProps } = wp.blockEditor;
  const { el, Field, Line, bind, register } = window.pillionSections;

  const Question = (block) =>
    el(
      'div',
      useBlockProps({ className: 'pillion-question' }),
      el(Line, {
        ...bind(block, 'question'),
        tagName: 'h3',
        className: 'pillion-question-text',
        placeholder: __('A question', 'pillion'),
        'aria-label': __('Question', 'pillion'),
      }),
      el(Field, {
        ...bind(block, 'answer'),
        tagName: 'div',
        className: 'pillion-text',
        allowedFormats: ['core/italic', 'core/bold'],
        placeholder: __('Its answer; an empty line begins a new paragraph', 'pillion'),
        'aria-label': __('Answer', 'pillion'),
      }),
    );

  register('question', Question);
}
