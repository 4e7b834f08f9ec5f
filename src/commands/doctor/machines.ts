import {createHttpService} from '../../api/http/http-client.ts';
import type {Settings} from '../../config/settings.ts';
import {hostTitle} from '../../domain/computers/computer.ts';
import {failureOf} from '../../domain/computers/provisioning.ts';
import {localFolder} from '../../embedded-service.ts';
import {findService} from '../../reach-service.ts';
import {type Check, ok, warning} from './check.ts';
import {strings} from './strings.ts';

const {machines: text} = strings;

/** How long the service may take to answer about a computer, ms. */
const answerTime = 5000;

/** Reports the other machines of the embedded service, if that runs. Connects none. */
export async function checkMachines(settings: Settings): Promise<Check[]> {
	if (settings.mode !== 'local') return [];
	// What keeps it from answering is reported where it is checked itself.
	const running = await findService(localFolder(settings)).catch(() => undefined);
	if (!running) return [];
	const service = createHttpService({address: running.address, retries: 0});
	try {
		const get = (id: string) => service.computers.get(id, {timeout: answerTime}).catch(() => undefined);
		const computers = await Promise.all(running.computerIds.map(get));
		return computers.flatMap(computer => {
			if (!computer?.host) return [];
			const name = text.name(computer.name ?? computer.id);
			const failure = failureOf(computer);
			const found = text.found(
				hostTitle(computer.host),
				computer.updatesWhenIdle ? text.old : computer.status,
			);
			return failure ? [warning(name, failure.reason ?? found, text.advice(computer.id))] : [ok(name, found)];
		});
	} finally {
		await service.close();
	}
}
