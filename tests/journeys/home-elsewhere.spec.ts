import { expect } from '@playwright/test';
import { setHome } from '../support/layouts.ts';
import { wiredTest } from '../support/wired-test.ts';
import { changeHeading, signIn } from '../support/wp-admin.ts';

const PATIENCE = { timeout: 60_000 };

wiredTest.use({ actionTimeout: 60_000 });

wiredTest(
  'an editor whose WordPress has the site’s address as its home saves, and sees the site beside it',
  async ({ page, wired: { wordpress, site } }) => {
    wiredTest.setTimeout(300_000);
    await setHome(wordpress, site.url);
    await signIn(page, wordpress);
    await changeHeading(page, wordpress, 'Saved from elsewhere');
    await expect.poll(async () => (await fetch(`${site.url}/`)).text(), PATIENCE).toContain('Saved from elsewhere');

    const button = page.getByRole('button', { name: 'Site', exact: true });
    if ((await button.getAttribute('aria-expanded')) !== 'true') await button.click();
    const pane = page.getByRole('region', { name: 'Site', exact: true });
    await expect(pane.getByRole('status')).toHaveText('The site shows what you write.', PATIENCE);
    await expect(pane.frameLocator('iframe').getByRole('heading', { level: 1 })).toHaveText(
      'Saved from elsewhere',
      PATIENCE,
    );
  },
);
