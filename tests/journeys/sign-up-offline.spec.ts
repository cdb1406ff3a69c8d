import { fill, form, newEmail, submit, thanks, visitForm } from '../support/sign-up-form.ts';
import { keptSignUps } from '../support/sign-ups.ts';
import { expect, goOffline, test } from './test.ts';

test('R30: a form sent offline says so, and is sent with the same id when the browser is online again @firefox @lean', async ({
  page,
  site,
}) => {
  const email = newEmail();
  const ids: (string | null)[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/sign-ups'))
      ids.push(new URLSearchParams(request.postData() ?? '').get('sign_up_id'));
  });
  await visitForm(page, '/');
  await fill(page, email);
  await goOffline(page);
  await submit(page).click();
  await expect(form(page).getByRole('group')).toHaveText(
    'You are offline. Your sign-up is sent as soon as you are connected again.',
  );
  await page.context().setOffline(false);
  await expect(thanks(page)).toBeVisible();
  const kept = (await keptSignUps(site.dataDirectory)).filter(({ answers }) => answers?.input_2 === email);
  expect(kept).toHaveLength(1);
  // Firefox does not report the body.
  expect(ids.filter((id) => id !== null && id !== kept[0]?.id)).toEqual([]);
});
