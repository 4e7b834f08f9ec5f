import {done} from '../../src/actions/notify.ts';
import type {ProfileEntry} from '../../src/domain/accounts/profile.ts';
import type {Profiles} from '../../src/ui/profiles.ts';
import type {AppParts} from '../../src/ui/use-app.ts';
import {appParts} from './app-parts.ts';
import {fakeClock} from './fake-clock.ts';
import {openScreen} from './screen.tsx';
import {fillWithWork} from './work-sample.ts';

/** A screen with sessions, unless the profile isn't connected. It closes with the test. */
export function openApp(columns = 100, rows = 30, more: Parameters<typeof appParts>[1] = {}) {
	const clock = fakeClock();
	const parts = appParts(clock, more);
	if (more.profile?.isConnected !== false) fillWithWork(parts.stores, clock.now());
	const screen = openScreen(parts, columns, rows);
	return {parts, screen};
}

/** The parts with some calls about profiles replaced. */
export function withProfiles(parts: AppParts, changed: Partial<Profiles>): AppParts {
	const {program} = parts;
	return {...parts, program: {...program, profiles: {...program.profiles, ...changed}}};
}

/** The open profile, and another one. */
export const twoProfiles = [
	{name: 'acme > prod', isLocal: false, address: 'https://acme.example', keyFrom: 'file'},
	{name: 'beta', isLocal: false, address: 'https://beta.example', keyFrom: 'file'},
] as const;

/** A screen with these two profiles, and the embedded service. It closes with the test. */
export function withTwo(columns = 80, rows = 24, changed: Partial<Profiles> = {}) {
	const clock = fakeClock();
	const parts = appParts(clock);
	let entries: readonly ProfileEntry[] = [...twoProfiles, {name: 'local', isLocal: true}];
	const {profiles} = parts.program;
	const screen = openScreen(
		withProfiles(parts, {
			list: async () => done(entries),
			remove(name) {
				entries = entries.filter(entry => entry.name !== name);
				return profiles.remove(name);
			},
			makeDefault(name) {
				entries = entries.map(({isDefault: _, ...entry}) =>
					entry.name === name ? {...entry, isDefault: true} : entry,
				);
				return profiles.makeDefault(name);
			},
			...changed,
		}),
		columns,
		rows,
	);
	return {parts, clock, screen};
}
