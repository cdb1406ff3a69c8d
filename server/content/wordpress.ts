import type { ContentOptions } from './content.ts';
import type { Result } from './result.ts';
import type { Source } from './source.ts';
import type { Submission } from './submission.ts';

export interface Wordpress {
  source: Source;
  submit: (formId: number, values: Record<string, string>) => Promise<Result<Submission>>;
  close: () => Promise<void>;
}

interface WordpressOptions {
  url: string;
  key: string;
  secret: string;
  timeoutMs: number;
  shelfDirectory: string;
  log: ContentOptions['log'];
}

export function createWordpress(options: WordpressOptions): Wordpress {
  throw new Error(`not built yet: ${options.url}`);
}
