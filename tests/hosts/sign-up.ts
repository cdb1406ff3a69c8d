import { MEGABYTE } from '@pillion/forms/files.ts';
import { php } from '../contract/wordpress.ts';
import type { RunningSite } from '../support/site.ts';
import type { Host } from './host.ts';

/** Adds a field for one file to the form of the texts. @param megabytes Largest file. */
export const addFileField = (host: Host, megabytes: number) =>
  php(
    `$forms = get_option( 'pillion_forms' );
    $forms[1]['fields'][] = array( 'id' => 90, 'type' => 'fileupload', 'label' => 'Picture', 'maxFileSize' => ${megabytes} );
    update_option( 'pillion_forms', $forms, false );`,
    host,
  );

/** Sends a sign-up as a visitor. @throws If the site does not confirm it. */
export async function signUpWithFile(site: Pick<RunningSite, 'url'>, megabytes: number) {
  const file = { name: 'picture.bin', size: megabytes * MEGABYTE };
  const body = new FormData();
  const answers = { form_id: '1', input_1: 'Visitor', input_2: 'visitor@example.org', input_3_1: '1' };
  for (const [name, value] of Object.entries(answers)) body.set(name, value);
  body.set('input_90', new Blob([Buffer.alloc(file.size, 'x')]), file.name);
  const response = await fetch(`${site.url}/api/sign-ups`, {
    method: 'POST',
    body,
    headers: { accept: 'application/json' },
  });
  if (response.status !== 200) throw new Error(`The site answers ${response.status}: ${await response.text()}`);
  return file;
}
