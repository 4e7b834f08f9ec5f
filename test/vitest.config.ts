import {defineConfig} from 'vitest/config';
import {editInk} from '../.ci/edit-libraries.ts';
import {patience} from './support/eventually.ts';
import {sameCases} from './support/same-cases.ts';
import {stuckFiles} from './support/stuck-files.ts';

export default defineConfig({
	plugins: [editInk(), ...(process.env.CI ? [sameCases()] : [])],
	test: {
		root: new URL('..', import.meta.url).pathname,
		include: ['test/{unit,screen,e2e}/**/*.test.{ts,tsx}'],
		globalSetup: 'test/support/runtime-folder.ts',
		// So that it goes through the plugin.
		server: {deps: {inline: [/node_modules\/ink\//]}},
		reporters: ['default', stuckFiles()],
		// More than one wait may take all its patience on a busy machine.
		testTimeout: 120_000,
		hookTimeout: 60_000,
		expect: {poll: {timeout: patience, interval: 20}},
		// Two cores: more workers than that make the pty tests wait for each other.
		maxWorkers: 2,
	},
});
