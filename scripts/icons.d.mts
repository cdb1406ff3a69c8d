export function iconSprite(): string;
