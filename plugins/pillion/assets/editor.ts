// The parts of the page editor apart from sections. PHP gives each part its data; a part without data does nothing.
// `require` runs each where it is called, so a failing part stops no other.
const PARTS = {
  'search engines': () => require('./editor/seo.ts'),
  theme: () => require('./editor/theme.ts'),
  'to do': () => require('./editor/to-do.ts'),
  links: () => require('./preview/links.ts'),
  pane: () => require('./preview/pane.ts'),
  problems: () => require('./preview/problems.ts'),
};

for (const [name, runPart] of Object.entries(PARTS))
  try {
    runPart();
  } catch (error) {
    console.error(`The part "${name}" of Pillion's editor failed.`, error);
  }
