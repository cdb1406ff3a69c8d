import { SectionView } from '../../sections/section-view.tsx';
import { each } from '../../ui/each.tsx';
import { Picture } from '../../ui/picture.tsx';
import { PageTitle } from '../page-title.tsx';
import type { Template, TemplateProps } from '../template.ts';
import { type Ground, groundsOf, signUpOf } from './grounds.ts';
import styles from './landing.module.css';

/** The page of sections. Without a hero it begins with its title; ending on a cover, it lifts it once more at the end. */
function Landing({ page, shell }: TemplateProps) {
  const grounds = groundsOf(page.sections);
  const hasHero = page.sections.some(({ type }) => type === 'hero');
  return (
    <div className={styles.landing} data-stage-behind={hasHero || undefined}>
      {!hasHero && <PageTitle>{page.title}</PageTitle>}
      {each(grounds, (ground) => (
        <div className={styles[ground.kind]} data-tone={ground.kind === 'night' ? 'dark' : undefined}>
          <Night ground={ground} />
          {each(ground.sections, (section) => (
            <SectionView section={section} page={page} shell={shell} />
          ))}
        </div>
      ))}
      {hasHero && grounds.at(-1)?.kind === 'cover' && <div className={styles.lift} />}
    </div>
  );
}

/** The sign-up's picture, fixed behind its run of sections as the hero's is behind the page. */
function Night({ ground }: { ground: Ground }) {
  if (ground.kind !== 'night') return null;
  const { picture, portrait } = signUpOf(ground) ?? {};
  return (
    <div className={styles.backdrop}>
      {picture && <Picture className={styles.picture} picture={picture} portrait={portrait ?? null} sizes="100vw" />}
    </div>
  );
}

export const landing: Template = { Component: Landing, hasHero: true };
