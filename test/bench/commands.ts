import {resolve} from 'node:path';
import {processTime} from './process-time.ts';
import {type Figure, ratio} from './report.ts';
import {startService} from './start-service.ts';
import {inRounds, median} from './statistics.ts';
import {emptyWorld} from './world.ts';

const cli = resolve(import.meta.dirname, '../../dist/cli.cjs');

/** Wall time of the quick commands over an empty Node process. */
export async function* measureCommands(): AsyncGenerator<Figure> {
	const world = emptyWorld();
	const service = await startService({});
	try {
		const command =
			(...args: string[]) =>
			() =>
				processTime([cli, ...args], {
					...world.env,
					QUARTERDECK_BASE_URL: service.url,
					QUARTERDECK_API_KEY: 'bench',
				});
		const times = await inRounds(25, {
			floor: () => processTime(['-e', '0'], world.env),
			version: command('--version'),
			help: command('--help'),
			list: command('sessions', 'list', '--json'),
			get: command('computers', 'get', 'bench', '--json'),
			messages: command('messages', 'bench', '--limit', '100', '--json'),
		});
		const floor = median(times.floor);
		yield ratio('--version', median(times.version), floor, 'node -e 0', 1.3);
		yield ratio('--help', median(times.help), floor, 'node -e 0', 1.3);
		yield ratio('sessions list', median(times.list), floor, 'node -e 0', 4);
		yield ratio('computers get', median(times.get), floor, 'node -e 0', 4);
		yield ratio('messages', median(times.messages), floor, 'node -e 0', 4);
	} finally {
		await service.stop();
		world.remove();
	}
}
