import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expect, visit } from '../journeys/test.ts';

// The fixture's form in English.

/** An address that belongs to no person: example.org is reserved for this (RFC 2606). */
export const newEmail = () => `reader-${randomUUID()}@example.org`;

export const form = (page: Page) => page.getByRole('main').locator('form');
export const nameField = (page: Page) => page.getByRole('textbox', { name: 'Name' });
export const emailField = (page: Page) => page.getByRole('textbox', { name: 'Email' });
export const consent = (page: Page) => page.getByRole('checkbox', { name: /Send me the letter/ });
export const submit = (page: Page) => form(page).getByRole('button');
export const thanks = (page: Page) => page.getByRole('status').filter({ hasText: 'You are on the list' });

/**
 * Waits until the form's script has hydrated it, which loads when the form is near the viewport. Before that a
 * click sends the form without script, which other journeys test.
 */
export async function reachForm(page: Page): Promise<void> {
  await form(page).scrollIntoViewIfNeeded();
  await expect(form(page)).toHaveAttribute('data-hydrated', '');
}

export async function visitForm(page: Page, url: string): Promise<void> {
  await visit(page, url);
  await reachForm(page);
}

export async function fill(page: Page, email: string): Promise<void> {
  await nameField(page).fill('Ada Quist');
  await emailField(page).fill(email);
  await consent(page).check();
}
