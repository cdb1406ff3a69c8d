import type { Menu, Strings } from '../types.ts';

/**
 * What each string reads where WordPress has none (R19 and, for the texts the brief leaves open, our own).
 * A project's own words belong into WordPress or the bundle, not here.
 */
export const DEFAULT_STRINGS: Strings = {
  brand: 'Pillion',
  number: '',
  logo: null,
  description: '',
  links: {},
  labels: {
    join: 'Join The Ride',
    scroll: 'Your journey starts here. Scroll down to explore',
    sound: 'sound',
    motion: 'motion',
    skip: 'Skip to content',
    more: 'Show more',
    less: 'Show less',
    main: 'Main',
    legal: 'Legal',
    social: 'Social',
    language: 'Language',
    // A language's own name is right in every language.
    offer: '{language}',
    close: 'Close',
  },
  footer: { colophon: 'All Rights Reserved | {brand} Inc. VAT {number}' },
  audio: { url: null, tone: null },
  form: {
    form_id: 1,
    sending: 'Sending…',
    invalid: 'Please check what you entered.',
    failed: 'We could not keep your sign-up just now. Please try again in a moment.',
    required: 'This field is required.',
    email: 'Please enter an email address, such as name@example.org.',
    confirm: 'Please enter the same address twice.',
    website: 'Please enter an address such as https://example.org.',
    phone: 'Please enter a phone number.',
    number: 'Please enter a number.',
    least: 'Please enter {min} or more.',
    most: 'Please enter {max} or less.',
    date: 'Please enter a date that exists.',
    choice: 'Please choose one of those offered.',
    long: 'At most {max} characters fit here.',
    busy: 'Many sign-ups came from your network just now. Please wait a minute and send it again.',
    file_kinds: 'Allowed: {kinds}.',
    file_size: 'At most {max} MB.',
    file_count: 'At most {max} files.',
    file_total: 'All files together: at most {max} MB.',
    file_refused: '“{file}” cannot be taken.',
    file_empty: '“{file}” is empty.',
    file_again: 'Please choose your file again.',
    file_remove: 'Remove',
    closed: 'This form is closed.',
    submit: 'Submit',
    time: 'Please enter a time as it is asked for.',
    hour: 'Hour',
    minute: 'Minute',
    other: 'Other',
    choices_exactly: 'Please choose exactly {min}.',
    choices_least: 'Please choose at least {min}.',
    choices_most: 'Please choose at most {max}.',
    row_add: 'Add a row',
    row_remove: 'Remove row',
    not_offered: 'With these answers the form cannot be sent.',
    nothing: 'Please fill in at least one field.',
    terms: 'Terms & Conditions',
  },
  riders: { from: null, light: 'Yours is light {number} on the road.' },
  fourohfour: {
    title: '404',
    paragraph: 'Page not found',
    link: { title: 'Back to home', url: '/', target: '' },
  },
  gone: {
    title: 'Gone',
    paragraph: 'This page is no longer here, and will not come back.',
    link: { title: 'Back to home', url: '/', target: '' },
  },
  error: {
    title: 'One moment',
    paragraph: 'This page cannot be shown right now. Please try again in a moment.',
    link: { title: 'Back to home', url: '/', target: '' },
    reference: 'Reference: {id}',
  },
  search: {
    title: 'Search',
    submit: 'Search',
    one: 'One page has “{query}”.',
    two: '',
    few: '',
    many: '{count} pages have “{query}”.',
    none: 'No page has “{query}”. Try fewer words, or other ones.',
    partial: 'The search is not whole just now: these are the pages we have at hand.',
    offline: 'You are offline: what you type is looked for once you are connected again.',
    failed: 'The search does not answer just now. Please try again in a moment.',
    previous: 'Previous',
    next: 'Next',
  },
  consent: {
    title: 'Cookies, if you agree',
    description:
      'With your consent we load tools that measure visits and advertising. Without it none is loaded, and the site works the same.',
    accept: 'Accept',
    reject: 'Reject',
    settings: 'Settings',
    statistics: 'Statistics: which pages are read',
    marketing: 'Marketing: whether our advertising works',
    save: 'Save choice',
    policy: 'Cookie policy',
    reopen: 'Cookie settings',
    withdrawn: 'Your consent is withdrawn. Measuring has stopped, and its cookies are removed.',
  },
};

const legal = (title: string, url: string) => ({ title, url, target: '' as const, network: null });

/** R19's legal menu: for a bundle without one, or where no valid answer ever came (R26). */
export const DEFAULT_LEGALS_MENU: Menu = {
  items: [
    legal('Terms & Conditions', '/terms-conditions/'),
    legal('Privacy Policy', '/privacy-policy/'),
    legal('Cookie Policy', '/cookie-policy/'),
  ],
};

/** For a form whose confirmation says nothing, or nothing without what only WordPress could fill in. */
export const THANKS = '<p>Thank you. It has arrived.</p>';
