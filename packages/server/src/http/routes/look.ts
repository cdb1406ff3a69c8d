import type { Content } from '@pillion/content/content.ts';
import { CACHE } from '@pillion/lib/cache-control.ts';
import { EDITOR_STYLES } from '@pillion/react/styles/editor-styles.ts';
import type { Hono } from 'hono';
import { z } from 'zod';
import { LOOK_PATH, type Looks } from '../../look.ts';
import { PREVIEW_TOKEN, type Tokens } from '../../preview/tokens.ts';
import { parseJson } from '../body.ts';
import { jsonResponse } from '../responses.ts';
import { addQuestionRoute, parseQuestion, type QuestionOptions } from '../signed-questions.ts';

/** A look that changes every colour has 1 KB. */
const MAX_LOOK_BYTES = 4_096;

const questionSchema = z.object({ type: z.literal('look'), look: z.record(z.string(), z.string()) });

interface Options {
  content: Content;
  looks: Looks;
  /** `null`: without a secret shared with WordPress, tokens cannot be verified. */
  tokens: Tokens | null;
  questions: QuestionOptions;
}

/** The colours and typefaces that editors have chosen under *Pillion → Look*. */
export function lookRoutes(app: Hono, { content, looks, tokens, questions }: Options): void {
  /** Every language has the same look. */
  const currentLook = async () => (await content.shell(await content.languageNamed(undefined))).strings.look;

  app.get(LOOK_PATH, async (c) => {
    const look = await currentLook();
    const isCurrent = looks.addressOf(look) === `${LOOK_PATH}?v=${c.req.query('v')}`;
    return c.text(looks.cssOf(look), 200, {
      ...(isCurrent ? CACHE.immutable : CACHE.never),
      'content-type': 'text/css; charset=utf-8',
    });
  });

  // The site's colours and typefaces for WordPress' block editor. Their address changes with each build.
  app.get('/api/editor.css', async (c) => {
    const headers = { ...CACHE.never, 'cross-origin-resource-policy': 'cross-origin' };
    const css = looks.editorCssOf(await currentLook());
    return css === ''
      ? c.body(null, 302, { ...headers, location: EDITOR_STYLES })
      : c.text(`@import '${EDITOR_STYLES}';\n${css}`, 200, { ...headers, 'content-type': 'text/css; charset=utf-8' });
  });

  // An unsaved look, for the pane of a preview.
  app.get('/api/look', (c) => {
    const token = tokens?.read(c.req.header(PREVIEW_TOKEN) ?? '') ?? 'wrong';
    if (typeof token === 'string' || token.kind !== 'pane') {
      const code = typeof token === 'string' ? token : 'wrong';
      questions.reportRefusal('preview', code);
      return jsonResponse(c.req.raw, { code }, 401, CACHE.never);
    }
    const text = c.req.query('look') ?? '';
    if (text.length > MAX_LOOK_BYTES)
      return jsonResponse(c.req.raw, { error: `look must have at most ${MAX_LOOK_BYTES} characters` }, 400);
    return jsonResponse(c.req.raw, looks.check(parseJson(Buffer.from(text))), 200, CACHE.never);
  });

  // What WordPress shows as fields, and whether it may save a look.
  addQuestionRoute(app, {
    ...{ ...questions, path: '/api/look', maxBytes: MAX_LOOK_BYTES },
    answer: parseQuestion(questionSchema, async ({ look }) => ({
      editable: looks.editable,
      problems: looks.check(look).problems,
    })),
    failureText: 'no look',
  });
}
