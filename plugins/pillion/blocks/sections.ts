// The editor of sections, with the editor parts of all sections of the kit and of the site.
import editors from 'virtual:pillion-editors';
import { Drawing, DrawingPanel } from './shared/drawing.ts';
import { Items } from './shared/items.ts';
import * as kit from './shared/kit.ts';
import * as pictures from './shared/pictures.ts';
import { registerBlocks } from './shared/register.ts';
import { Rows } from './shared/rows.ts';
import * as section from './shared/section.ts';
import './shared/template-reminder.ts';

/** What an `edit.ts` or `edit.js` finds as `window.pillionSections`. */
const parts = { ...kit, ...pictures, ...section, Drawing, DrawingPanel, Items, Rows };

export type SectionParts = typeof parts;

window.pillionSections = parts;
for (const [name, runEditor] of Object.entries(editors))
  try {
    runEditor();
  } catch (error) {
    console.error(`The editor part of the section "${name}" failed, so its default editor is shown.`, error);
  }
registerBlocks();
