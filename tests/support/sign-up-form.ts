import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expect, visitPage } from '../journeys/test.ts';

// The fixture's form in English.

/** An address that belongs to no person: example.org is reserved for this (RFC 2606). */
export const createEmail = () => `reader-${randomUUID()}@example.org`;

export const getForm = (page: Page) => page.getByRole('main').locator('form');
export const getNameField = (page: Page) => page.getByRole('textbox', { name: 'Name' });
export const getEmailField = (page: Page) => page.getByRole('textbox', { name: 'Email' });
export const getConsent = (page: Page) => page.getByRole('checkbox', { name: /Send me the letter/ });
export const getButton = (page: Page) => getForm(page).getByRole('button');
export const getThanks = (page: Page) => page.getByRole('status').filter({ hasText: 'You are on the list' });

/**
 * Waits until the form's script has hydrated it, which loads when the form is near the viewport. Before that a
 * click sends the form without script, which other journeys test.
 */
export async function reachForm(page: Page): Promise<void> {
  await getForm(page).scrollIntoViewIfNeeded();
  await expect(getForm(page)).toHaveAttribute('data-hydrated', '');
}

export async function visitForm(page: Page, url: string): Promise<void> {
  await visitPage(page, url);
  await reachForm(page);
}

export async function fillForm(page: Page, email: string): Promise<void> {
  await getNameField(page).fill('Ada Quist');
  await getEmailField(page).fill(email);
  await getConsent(page).check();
}
