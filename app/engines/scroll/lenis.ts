export function startLenis(): void {}
