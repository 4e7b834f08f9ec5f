import {expect, onTestFinished, test, vi} from 'vitest';
import {childEnvironment} from '../../../../src/local/processes/child-environment.ts';

test('programs get nothing that was meant for whoever started the service', () => {
	onTestFinished(() => void vi.unstubAllEnvs());
	const names = [
		'QUARTERDECK_API_KEY',
		'QUARTERDECK_AGENT_SESSION',
		'npm_config_prefix',
		'GIT_DIR',
		'CLAUDECODE',
	];
	for (const name of [...names, 'KEPT']) vi.stubEnv(name, 'x');
	const environment = childEnvironment();
	expect([...names, 'KEPT'].filter(name => environment[name] === 'x')).toEqual(['KEPT']);
});
