// The scene's stills come from a separate tool, which draws them in a browser, in the built site.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../lib/places.mjs';
import { MissingTool, tool } from '../lib/tools.mjs';

const SCRIPT = join(ROOT, 'site/assets/scene-stills.mjs');

export async function build(say) {
  if (!existsSync(SCRIPT)) return say('has no script; its files stay as they are');
  if (!existsSync('/usr/bin/chromium')) throw new MissingTool('Chromium', 'chromium');
  await tool('ffmpeg', ['-version']);
  const onOutput = (text) => {
    for (const line of text.split('\n').filter(Boolean)) say(line);
  };
  await tool(process.execPath, [SCRIPT], { cwd: ROOT, onOutput });
}
