import {defineConfig} from 'vitest/config';
import {editInk} from '../.ci/edit-libraries.ts';
import {patience} from './support/eventually.ts';
import {randomCases, times} from './support/random-cases.ts';
import {slowFiles} from './support/slow-files.ts';
import {stuckFiles} from './support/stuck-files.ts';

/** Unit tests that build, start other processes, wait for a lock, or play models for long. */
const slow = [
	'api/transport.test.ts',
	'commands/cli/interrupts.test.ts',
	'contract/**/*.test.ts',
	'db/messages/{find-messages,messages}.test.ts',
	'db/{lost-file,open-database,processes}.test.ts',
	'domain/usage/organization.test.ts',
	'hook-setup/{delivery,hook-command,plan-change,trial}.test.ts',
	'hooks/{answer-hook,hook,spool}.test.ts',
	'house/{build,ink-edits}.test.ts',
	'local/**/*.test.ts',
	'sync/hooks/{client-sessions,type-into-client}.test.ts',
	'sync/{engine,engine-local,same-states}.test.ts',
	'sync/fleet/computer-crowd.test.ts',
	'sync/messages/{follower,large-answers,session-watcher}.test.ts',
	'sync/messages/{stream-model,watched-histories}.test.ts',
	'sync/organization/{endless-lists,organization-reader,unusual-usage,read-analytics}.test.ts',
	'sync/outbox/{outbox-model,outbox-sender}.test.ts',
	'sync/transcripts/transcript-follower.test.ts',
	'term/hostile-screen.test.ts',
	'text/markdown/markdown.test.ts',
	'transcripts/transcript-file.test.ts',
	'ui/{draft-saver,needs-you}.test.ts',
].map(name => `test/unit/${name}`);

/** Topics of the help are text, as in the build. */
const textFiles = {
	name: 'text-files',
	enforce: 'pre' as const,
	transform: (text: string, path: string) =>
		path.endsWith('.md') ? `export default ${JSON.stringify(text)};` : undefined,
};

/** Tests of the screen that replace a module. */
const alone = ['test/screen/first-load.test.tsx'];

// The React that users get, which is faster.
process.env.NODE_ENV = 'production';

export default defineConfig({
	define: {__VERSION__: '"0.0.0"'},
	plugins: [editInk(), textFiles, ...(process.env.CI ? [randomCases(1)] : times > 1 ? [randomCases()] : [])],
	test: {
		root: new URL('..', import.meta.url).pathname,
		globalSetup: 'test/support/runtime-folder.ts',
		// So that they go through the plugin.
		server: {deps: {inline: [/node_modules\/(ink|string-width|widest-line)\//]}},
		reporters: ['default', stuckFiles(), slowFiles()],
		// More than one wait may take all its patience on a busy machine.
		testTimeout: 240_000,
		hookTimeout: 120_000,
		expect: {poll: {timeout: patience, interval: 20}},
		// On two cores.
		maxWorkers: 3,
		sequence: {groupOrder: 1},
		projects: [
			{
				extends: true,
				test: {
					name: 'unit',
					// Three times as fast: what files import is evaluated once per worker. None of these replaces a module.
					isolate: false,
					include: ['test/unit/**/*.test.{ts,tsx}'],
					exclude: slow,
				},
			},
			{
				extends: true,
				test: {name: 'slow', isolate: false, include: slow},
			},
			{
				extends: true,
				test: {name: 'screen', isolate: false, include: ['test/screen/**/*.test.tsx'], exclude: alone},
			},
			{
				extends: true,
				test: {name: 'commands', isolate: false, include: ['test/commands/**/*.test.ts']},
			},
			{
				extends: true,
				test: {
					name: 'program',
					isolate: false,
					include: ['test/e2e/**/*.test.ts'],
					// These mostly wait for the program.
					maxWorkers: 4,
					sequence: {groupOrder: 0},
				},
			},
			{
				extends: true,
				test: {name: 'alone', include: alone},
			},
			{
				extends: true,
				test: {name: 'soak', include: times > 1 ? ['test/soak/**/*.test.ts'] : []},
			},
		],
	},
});
