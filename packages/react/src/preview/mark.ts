/** Draws a frame around what is selected in the editor, over the page and apart from it. */
export function createMark() {
  const frame = document.createElement('div');
  frame.dataset.previewMark = '';
  frame.hidden = true;
  document.body.append(frame);
  let marked: Element | null = null;

  const place = () => {
    frame.hidden = !marked?.isConnected;
    if (!marked || frame.hidden) return;
    const { top, left, width, height } = marked.getBoundingClientRect();
    frame.style.cssText = `top:${top + scrollY}px;left:${left + scrollX}px;width:${width}px;height:${height}px`;
  };
  // What is above it may grow while pictures and typefaces come.
  const observer = new ResizeObserver(place);
  observer.observe(document.body);
  addEventListener('resize', place);

  return {
    /** @param element `null` takes the frame away. */
    around(element: Element | null): void {
      if (marked) observer.unobserve(marked);
      marked = element;
      if (marked) observer.observe(marked);
      place();
    },
  };
}
