import {defineConfig} from 'vitest/config';
import whole from './vitest.config.ts';

/**
 * `npm run test:unit`: the unit tests that together need less than 30 s on two cores. Left out are files that build, start
 * other processes, or run models and property tests for more than 4 s of a busy machine.
 */
const slow = [
	'contract/**',
	'db/messages/find-messages.test.ts',
	'db/{lost-file,processes,repair-together}.test.ts',
	'domain/usage/organization.test.ts',
	'hook-setup/{delivery,hook-command,trial}.test.ts',
	'hooks/{hook,spool}.test.ts',
	'house/ink-edits.test.ts',
	'local/**',
	'sync/engine-local.test.ts',
	'sync/fleet/computer-crowd.test.ts',
	'sync/messages/{roles-model,stream-model,watched-histories}.test.ts',
	'sync/organization/endless-lists.test.ts',
	'sync/outbox/{outbox-model,outbox-sender}.test.ts',
];

const all = whole as {readonly test: object};

export default defineConfig({
	test: {
		...all.test,
		// Three times as fast: what files import is evaluated once per worker. None of these replaces a module.
		isolate: false,
		include: ['test/unit/**/*.test.{ts,tsx}'],
		exclude: slow.map(name => `test/unit/${name}`),
	},
});
