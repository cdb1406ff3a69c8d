// A separate script draws the scene's stills in a browser, in the built site.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../lib/places.mjs';
import { MissingTool, runTool } from '../lib/tools.mjs';

const STILLS_SCRIPT = join(ROOT, 'site/assets/scene-stills.mjs');

export async function build(report) {
  if (!existsSync(STILLS_SCRIPT)) return report('has no script; its files stay as they are');
  if (!existsSync('/usr/bin/chromium')) throw new MissingTool('Chromium', 'chromium');
  await runTool('ffmpeg', ['-version']);
  const onOutput = (text) => {
    for (const line of text.split('\n').filter(Boolean)) report(line);
  };
  await runTool(process.execPath, [STILLS_SCRIPT], { cwd: ROOT, onOutput });
}
