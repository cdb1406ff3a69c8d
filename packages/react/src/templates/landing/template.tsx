import { savesData } from '@pillion/lib/browser/visitor.ts';
import { useEffect } from 'react';
import { hasHero } from '../../registry/kind-of-page.ts';
import { SectionView } from '../../sections/section-view.tsx';
import { prepareForm } from '../../sections/sign-up/lazy-form.tsx';
import { addStyles } from '../../ui/add-styles.ts';
import { each } from '../../ui/each.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { Picture } from '../../ui/picture.tsx';
import type { Template, TemplateProps } from '../template.ts';
import { type Ground, groundsOf, signUpOf } from './grounds.ts';
import styles from './landing.module.css';
import lightStyles from './light.css?url';

/**
 * A page of sections, grouped by their background (`Ground`). Without a hero it starts with its title. If the last
 * section covers the picture, an empty strip at the end shows the picture again.
 */
function Landing({ page, shell }: TemplateProps) {
  const grounds = groundsOf(page.sections);
  // Ambient light of `cover` sections. Loaded at the first scroll, since it is only visible below the first screen.
  useEffect(() => {
    if (savesData()) return;
    const fetchLight = () => void addStyles(lightStyles);
    addEventListener('scroll', fetchLight, { once: true });
    return () => removeEventListener('scroll', fetchLight);
  }, []);
  return (
    <div className={styles.landing}>
      {!hasHero(page) && (
        <div className={styles.cover}>
          <PageTitle>{page.title}</PageTitle>
        </div>
      )}
      {each(grounds, (ground) => (
        <div
          className={styles[ground.kind]}
          data-ground={ground.kind}
          data-tone={ground.kind === 'cover' ? undefined : 'dark'}
          data-reveals-scene={ground.kind === 'night' || ground.kind === 'passage' ? '' : undefined}
        >
          <SignUpBackdrop ground={ground} />
          {each(ground.sections, (section) => (
            <SectionView section={section} page={page} shell={shell} />
          ))}
        </div>
      ))}
      {grounds.at(-1)?.kind === 'cover' && <div className={styles.lift} data-reveals-scene />}
    </div>
  );
}

/** The sign-up's picture, fixed behind its sections. */
function SignUpBackdrop({ ground }: { ground: Ground }) {
  if (ground.kind !== 'night') return null;
  const { picture, portrait } = signUpOf(ground) ?? {};
  return (
    <div className={styles.backdrop}>
      {picture && <Picture className={styles.picture} picture={picture} portrait={portrait ?? null} sizes="100vw" />}
    </div>
  );
}

const template: Template = { Component: Landing, prepare: prepareForm };
export default template;
