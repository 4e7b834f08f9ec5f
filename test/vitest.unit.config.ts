import {defineConfig} from 'vitest/config';
import whole from './vitest.config.ts';

/**
 * `npm run test:unit`: the unit tests that answer at once. Left out is what starts other processes, builds something or
 * runs a long model: every file that took more than 2 s on a quiet machine with two cores, and what needs `dist/`.
 */
const slow = [
	'contract/**',
	'db/{find-messages,lost-file,open-database,processes,repair-together}.test.ts',
	'domain/usage/organization.test.ts',
	'hook-setup/{delivery,hook-command,plan-change,trial}.test.ts',
	'hooks/{hook,spool}.test.ts',
	'house/ink-edits.test.ts',
	'local/**',
	'sync/{computer-crowd,endless-lists,engine-local,outbox-model,outbox-sender,roles-model,stream-model,usage-reader}.test.ts',
];

const all = whole as {readonly test: object};

export default defineConfig({
	test: {
		...all.test,
		include: ['test/unit/**/*.test.{ts,tsx}'],
		exclude: slow.map(name => `test/unit/${name}`),
	},
});
