/** Draws a frame around the block that is selected in the editor, as an overlay. */
export function createSelectionFrame() {
  const frame = document.createElement('div');
  frame.dataset.previewMark = '';
  frame.hidden = true;
  document.body.append(frame);
  let marked: Element | null = null;

  const updatePosition = () => {
    frame.hidden = !marked?.isConnected;
    if (!marked || frame.hidden) return;
    const { top, left, width, height } = marked.getBoundingClientRect();
    frame.style.cssText = `top:${top + scrollY}px;left:${left + scrollX}px;width:${width}px;height:${height}px`;
  };
  // Content above may change its height while pictures and fonts load.
  const observer = new ResizeObserver(updatePosition);
  observer.observe(document.body);
  addEventListener('resize', updatePosition);

  return {
    /** @param element `null` hides the frame. */
    moveTo(element: Element | null): void {
      if (marked) observer.unobserve(marked);
      marked = element;
      if (marked) observer.observe(marked);
      updatePosition();
    },
  };
}
